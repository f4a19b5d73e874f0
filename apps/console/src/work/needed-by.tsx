import { Mark } from '../look/mark.tsx';
import { leftUntil, Time } from '../look/time/time.tsx';
import type { WorkItem } from './draft/draft.ts';
import { useNow } from './desk/use-lease.ts';

/** By when the request's account needs the answer, with the time left; nothing where it did not say. */
export function NeededBy({ item: { needed_by: by } }: { readonly item: Pick<WorkItem, 'needed_by'> }) {
  const now = useNow();
  if (by === null) return null;
  return (
    <span>
      Needed by <Time at={by} />{' '}
      <Mark tone={Date.parse(by) > now ? 'warn' : 'bad'}>{leftUntil(by, now)}</Mark>
    </span>
  );
}
