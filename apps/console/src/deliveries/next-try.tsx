import { serverNow } from '../api/server-time.ts';
import { Mark } from '../look/mark.tsx';
import { Time } from '../look/time/time.tsx';

interface NextTryProps {
  /** When the next attempt is due. */
  readonly at: string;
  /** Since when its receiver is paused; null while it is not. */
  readonly pausedSince: string | null;
}

/** When something is tried next. What is due already waits for its turn: a time in the past is never called next. */
export function NextTry({ at, pausedSince }: NextTryProps) {
  return (
    <>
      {Date.parse(at) <= serverNow() ? 'As soon as its turn comes' : <Time at={at} />}
      {pausedSince !== null && (
        <>
          {' '}
          <Mark tone="warn">Paused</Mark> since <Time at={pausedSince} />
        </>
      )}
    </>
  );
}
