import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, lazy, useEffect, useState } from 'react';
import { api } from '../api/api.ts';
import { settleFreshSignIn, useFreshSignInAsked } from '../api/fresh-sign-in.ts';
import { announceSignIn, giveUpPage, resumeSession, useSessionEnded, useSignedIn } from '../api/session.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Late } from '../look/late.tsx';
import { Notice } from '../look/notice.tsx';
import css from './session.module.css';
import type { WaysBack } from './sign-in/ways-back.tsx';
import { type Me, secondsLeft } from './use-me.ts';

/** Seconds before the end of the session at which the warning is shown (WCAG 2.2.1 asks for 20). */
const WARNING_SECONDS = 60;

/** Warns a minute before the session ends, with a countdown; a screen reader speaks the warning once. */
export function EndWarning({ me }: { readonly me: Me }) {
  const queries = useQueryClient();
  const hasEnded = useSessionEnded();
  const [left, setLeft] = useState(() => secondsLeft(me));
  useEffect(() => {
    const look = () => setLeft(secondsLeft(me));
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [me]);
  const isOver = left <= 0;
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['sessions.me'] });
  // The service knows: it answers that the session has ended, and the page asks to sign in again.
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ['sessions.me'] });
  }, [isOver, queries]);
  if (hasEnded || isOver || left > WARNING_SECONDS) return null;
  const { session } = me;
  const isFinal = session?.idle_ends_at === session?.ends_at;
  return (
    <div className={css.warning}>
      <Notice tone="warn" action={isFinal ? undefined : <Button onClick={readAgain}>Stay signed in</Button>}>
        {isFinal
          ? 'Your session ends within a minute, after 12 hours. What you typed stays; you sign in again and continue.'
          : 'This page was not used for a while. You are signed out within a minute.'}{' '}
        <span aria-hidden="true" className={css.countdown}>
          {Math.ceil(left)} s
        </span>
      </Notice>
    </div>
  );
}

/**
 * A dialog over the page after the session has ended. Once the same person signs in again, the page continues with its
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
      <p>Your session has ended. What you typed is still here: sign in again and continue where you were.</p>
      <LateWaysBack onSignedIn={announceSignIn} />
    </Dialog>
  );
}

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

const load = () => import('./sign-in/ways-back.tsx');
const Ways = lazy(async () => ({ default: (await load()).WaysBack }));

/** Loads the code of {@link LateWaysBack} ahead: when it is needed, the service may be down or updated. */
export const loadWaysBack = (): void => void load().catch(() => undefined);

/** The ways to sign in again, loaded apart from the first page. */
const LateWaysBack = (props: ComponentProps<typeof WaysBack>) => (
  <Late>
    <Ways {...props} />
  </Late>
);
