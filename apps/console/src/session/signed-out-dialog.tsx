import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { announceSignIn, giveUpPage, resumeSession, useSessionEnded, useSignedIn } from '../api/session.ts';
import { Dialog } from '../look/dialog/dialog.tsx';
import { LateWaysBack } from './sign-in/late-ways-back.tsx';
import type { Me } from './use-me.ts';

/**
 * A dialog over the page after the session has ended. Once the same person signs in again, the page goes on with its
 * typed text; for another person it is loaded again.
 */
export function SignedOutDialog({ me }: { readonly me: Me }) {
  const ended = useSessionEnded();
  const queries = useQueryClient();
  const resume = async () => {
    const now = await api.sessions.me.query();
    if (now.id !== me.id) return giveUpPage();
    resumeSession();
    await queries.invalidateQueries();
  };
  useSignedIn(() => void resume().catch(() => undefined));
  if (!ended) return null;
  return (
    <Dialog title="You are signed out" onClose={undefined}>
      <p>Your session has ended. What you typed is still here: sign in again and go on where you were.</p>
      <LateWaysBack onSignedIn={announceSignIn} />
    </Dialog>
  );
}
