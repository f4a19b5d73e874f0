import type { RedeliveredExhausted } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import type { Store } from '../../open-store.ts';
import { queueAgain, readNow } from './queue-again.ts';

export interface ExhaustedRedelivery {
  readonly caller: Caller;
  readonly since: Date;
  readonly limit: number;
}

/**
 * Starts a new round of attempts for every message exhausted since a time. Only for current results: a corrected one
 * must not arrive after its correction. Calling again does the rest; deliveries in progress are left alone.
 */
export async function redeliverExhausted(
  store: Store,
  redelivery: ExhaustedRedelivery,
): Promise<RedeliveredExhausted> {
  // A message sent again by this call may be exhausted anew while it runs, at once after a 410; without the bound it
  // would loop forever.
  const until = await readNow(store);
  const scope = { ...redelivery, until };
  const redelivered = await queueAgain(store, {
    ...scope,
    operation: 'deliveries.redeliverExhausted',
    status: 'exhausted',
    select: (count) => exhausted(scope, count),
  });
  const left = await exhausted(scope, 1).execute(store.db);
  return { redelivered, more: left.rows.length > 0 };
}

type Scope = ExhaustedRedelivery & { readonly until: string };

/** Account by account, so that each is one short walk of the index on (account_id, exhausted_at). */
function exhausted({ caller, since, until }: Scope, count: number) {
  return sql`
    select exhausted.request_id
    from account cross join lateral (
      select delivery.request_id
      from delivery
      join request on request.id = delivery.request_id and request.version = delivery.version
        and request.erased_at is null
      where delivery.account_id = account.id
        and delivery.exhausted_at >= ${since} and delivery.exhausted_at < ${until}::timestamptz
      order by delivery.exhausted_at
      limit ${count}
    ) as exhausted
    where ${within(caller, 'account.id')}
    limit ${count}`;
}
