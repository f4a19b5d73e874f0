import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { openProvider, useWays } from './provider.ts';
import { announceSignIn, resumeSession, useSessionEnded, useSignedInElsewhere } from './session.ts';
import { HowToGetLink, SignInForm } from './sign-in-form.tsx';
import type { Me } from './use-me.ts';

/** Over the page, which keeps what was typed: for the same person alone. */
export function SignedOutDialog({ me }: { readonly me: Me }) {
  const ended = useSessionEnded();
  const queries = useQueryClient();
  const resume = async () => {
    const now = await api.sessions.me.query();
    // Somebody else must not go on with what the last person had on screen.
    if (now.id !== me.id) return location.assign('/console');
    resumeSession();
    await queries.invalidateQueries();
  };
  useSignedInElsewhere(() => void resume().catch(() => undefined));
  if (!ended) return null;
  return (
    <Dialog title="You are signed out" onClose={undefined}>
      <p>Your session has ended. What you typed is still here: sign in again and go on where you were.</p>
      <WaysBack
        onSignedIn={() => {
          announceSignIn();
          void resume();
        }}
      />
    </Dialog>
  );
}

function WaysBack({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { data: ways } = useWays();
  if (!ways) return null;
  if (ways.provider !== null)
    return (
      <Button kind="primary" onClick={() => openProvider()}>
        Sign in with {ways.provider}
      </Button>
    );
  return (
    <>
      <HowToGetLink />
      <SignInForm onSignedIn={onSignedIn} />
    </>
  );
}
