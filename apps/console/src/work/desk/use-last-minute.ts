import { useEffect } from 'react';
import { useTitle } from '../../look/page/use-title.ts';
import { clockOf } from '../../look/time/time.tsx';

/** Asks the browser, at a click, whether this page may notify the person when they are in another window. */
export function askToNotify(): void {
  if ('Notification' in globalThis && Notification.permission === 'default')
    void Notification.requestPermission();
}

/**
 * Shows the last minute of a lease where a person who is elsewhere sees it: in the title of the tab, and in a
 * notification if that is allowed. Neither says anything of the patient.
 * @param secondsLeft null outside of the last minute.
 */
export function useLastMinute(secondsLeft: number | null): void {
  useTitle(secondsLeft === null ? 'Work' : `${clockOf(secondsLeft)} left: still there?`);
  const isLast = secondsLeft !== null;
  useEffect(() => {
    if (!isLast || !('Notification' in globalThis) || Notification.permission !== 'granted') return undefined;
    const notification = new Notification('Are you still there?', {
      body: 'Others get the request on your workbench within a minute.',
      tag: 'last-minute', // of two tabs, one
    });
    notification.addEventListener('click', () => window.focus());
    return () => notification.close();
  }, [isLast]);
}
