import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSessionEnded } from '../api/session.ts';
import { Button } from '../look/button/button.tsx';
import { Notice } from '../look/state/notice.tsx';
import css from './session.module.css';
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
          ? 'Your session ends within a minute, after 12 hours. What you typed stays; you sign in again and go on.'
          : 'Nobody has used this page for a while. You are signed out within a minute.'}{' '}
        <span aria-hidden="true" className={css.countdown}>
          {Math.ceil(left)} s
        </span>
      </Notice>
    </div>
  );
}
