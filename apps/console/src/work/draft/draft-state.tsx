import { serverNow } from '../../api/server-time.ts';
import { Mark } from '../../look/mark.tsx';
import { duration } from '../../look/time/time.tsx';
import { Unseen } from '../../look/unseen.tsx';
import type { Keeping } from './keeping.ts';

/** Whether the draft is saved, and for how long. A screen reader speaks a new state, not each change of the age. */
export function DraftState({ keeping }: { readonly keeping: Keeping }) {
  const { state, savedAt, newer } = keeping;
  const age = savedAt === null ? null : duration(Math.max(0, (serverNow() - savedAt) / 1_000));
  return (
    <div>
      {newer ? (
        <Mark tone="warn">Not saved: choose a draft</Mark>
      ) : state === 'offline' ? (
        <Mark tone="warn">{`Offline: kept in this tab, ${age === null ? 'not saved yet' : `saved ${age} ago`}`}</Mark>
      ) : state === 'saving' || state === 'typed' ? (
        <span>Saving …</span>
      ) : (
        age !== null && <Mark tone="good">{`Saved ${age} ago`}</Mark>
      )}
      <SpokenState keeping={keeping} />
    </div>
  );
}

const SPOKEN = {
  offline: 'The service does not answer. What you type is kept in this tab.',
  saved: 'Saved.',
};

function SpokenState({ keeping: { state, savedAt } }: { readonly keeping: Keeping }) {
  const isSaved = state === 'idle' && savedAt !== null;
  return <Unseen role="status">{state === 'offline' ? SPOKEN.offline : isSaved ? SPOKEN.saved : ''}</Unseen>;
}
