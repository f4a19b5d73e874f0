import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../look/dialog.tsx';
import { resumeSession, useSessionEnded } from './session.ts';
import { HowToGetLink, SignInForm } from './sign-in-form.tsx';

/** Over the page, which keeps what was typed. */
export function SignedOutDialog() {
  const ended = useSessionEnded();
  const queries = useQueryClient();
  const resume = () => {
    resumeSession();
    void queries.invalidateQueries();
  };
  if (!ended) return null;
  return (
    <Dialog title="You are signed out" onClose={undefined}>
      <p>Your session has ended. What you typed is still here: sign in again and go on where you were.</p>
      <HowToGetLink />
      <SignInForm onSignedIn={resume} />
    </Dialog>
  );
}
