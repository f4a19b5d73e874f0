import type { VerificationSource } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import { readQueueDepths } from '../../facts/depths/read-queue-depths.ts';
import type { Store } from '../../open-store.ts';
import { readAttendance } from './choosing/attended-channels.ts';
import { workableQueues } from './choosing/workable-queues.ts';
import { type WorkClaim, withinBounds } from './claim-work.ts';

/** What claims would lease, one after the other, of one payer and to be worked in one channel. */
export interface Claimable {
  readonly payerId: string;
  readonly channel: VerificationSource;
  readonly count: number;
  /** How long the longest waiting of them has been due; null where there is none. */
  readonly oldestSeconds: number | null;
}

/**
 * What `claimWork` would give this caller for these channels until nothing is left, were each request done before the
 * next is claimed: a payer's cap on those under way is not counted against it. From the depths of the queues, so with
 * more than 500 requests as old as their last count.
 */
export async function countClaimable(
  store: Store,
  given: Pick<WorkClaim, 'caller' | 'routes' | 'channels'>,
): Promise<Claimable[]> {
  const { caller, routes, channels } = withinBounds(given);
  const isAttended = caller.mode === 'live' ? await readAttendance(store, routes) : () => false;
  const scope = await accountsOf(store, caller);
  const { depths } = await readQueueDepths(store, { queue: 'work', routes, scope });
  return routes.flatMap((route) => {
    const queues = workableQueues(route, new Set(channels), (channel) => isAttended(route.payerId, channel));
    return route.channels.map(({ source: channel }) => {
      const names = new Set<string>(
        queues.filter((one) => one.channel.source === channel).map(({ queue }) => queue),
      );
      const found = depths.filter((depth) => depth.payer_id === route.payerId && names.has(depth.channel));
      const ages = found.flatMap((depth) => depth.oldest_claimable_seconds ?? []);
      return {
        payerId: route.payerId,
        channel,
        count: found.reduce((sum, depth) => sum + depth.claimable_count, 0),
        oldestSeconds: ages.length > 0 ? Math.max(...ages) : null,
      };
    });
  });
}

/** All accounts of the caller's mode; of a verifier who is kept to some, those of them that are of it. */
async function accountsOf({ db }: Store, { mode, verifyWithin }: Caller): Promise<string | string[]> {
  if (!verifyWithin?.account_ids) return mode;
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('id', 'in', verifyWithin.account_ids)
    .where('mode', '=', mode)
    .execute();
  return rows.map(({ id }) => id);
}
