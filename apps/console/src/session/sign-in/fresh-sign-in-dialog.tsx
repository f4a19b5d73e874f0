import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { settleFreshSignIn, useFreshSignInAsked } from '../../api/fresh-sign-in.ts';
import { announceSignIn, useSignedIn } from '../../api/session.ts';
import { Button } from '../../look/button/button.tsx';
import { Dialog } from '../../look/dialog/dialog.tsx';
import type { Me } from '../use-me.ts';
import { LateWaysBack } from './late-ways-back.tsx';

/** A dialog for calls that need a fresh sign-in; they are sent again once the person has signed in. */
export function FreshSignInDialog({ me }: { readonly me: Me }) {
  const asked = useFreshSignInAsked();
  const queries = useQueryClient();
  const goOn = async () => {
    const now = await api.sessions.me.query();
    if (now.id !== me.id) return; // the page is given up
    settleFreshSignIn(true);
    await queries.invalidateQueries({ queryKey: ['sessions.me'] });
  };
  useSignedIn(() => {
    if (asked) void goOn().catch(() => undefined);
  });
  if (!asked) return null;
  return (
    <Dialog title="Sign in again" onClose={() => settleFreshSignIn(false)}>
      <p>
        What you asked for changes who may do what, and your sign-in is older than 15 minutes. Sign in again:
        then it goes on by itself.
      </p>
      <LateWaysBack fresh onSignedIn={announceSignIn} />
      <Button onClick={() => settleFreshSignIn(false)}>Cancel</Button>
    </Dialog>
  );
}
