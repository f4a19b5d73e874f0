import type { QueueReport } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';
import type { Route } from '../../tables/route.ts';
import { readQueueDepths } from '../depths/read-queue-depths.ts';
import { type ReportScope, scopeOfReport } from './report.ts';

/** What waits now, by payer and channel. */
export async function reportQueue(
  store: Store,
  { routes, ...options }: ReportScope & { readonly routes: readonly Route[] },
): Promise<({ readonly kind: 'reported' } & QueueReport) | { readonly kind: 'not_found' }> {
  const scope = await scopeOfReport(store.db, options);
  if (scope === undefined) return { kind: 'not_found' };
  const { countedAt, depths } = await readQueueDepths(store, { queue: 'work', routes, scope });
  return {
    kind: 'reported',
    counted_at: countedAt.toISOString(),
    items: depths
      .map(({ payer_id, channel, waiting_count, leased_count, oldest_seconds }) => ({
        payer_id,
        channel: channel === 'entry' ? null : channel,
        waiting_count,
        leased_count,
        oldest_seconds,
      }))
      .toSorted((one, other) =>
        `${one.payer_id} ${one.channel ?? ''}`.localeCompare(`${other.payer_id} ${other.channel ?? ''}`),
      ),
  };
}
