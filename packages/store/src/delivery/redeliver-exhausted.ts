import type { RedeliveredExhausted } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { MAY_GO_AGAIN } from './delivery-filter.ts';
import { destinationHostsOf } from './message.ts';
import { queueAgain, readCounted, readNow, signCounted } from './redeliver.ts';

interface ExhaustedRedelivery {
  readonly caller: Caller;
  readonly since: Date;
  /** As in the callback address, with or without a port; absent: of every host. */
  readonly host?: string | undefined;
  readonly limit: number;
  /** A dry run's answer; null for a dry run. */
  readonly token: string | null;
}

/** `other_token`: it was not signed here, or for another host, time or caller's reach. */
type ExhaustedRedelivered =
  | { readonly kind: 'counted' | 'redelivered'; readonly answer: RedeliveredExhausted }
  | { readonly kind: 'other_token' };

const OPERATION = 'deliveries.redeliverExhausted';

/**
 * Counts the messages exhausted since a time, or with the token of that count starts a new round of attempts for
 * them: only those that still are exhausted since then. One exhausted again meanwhile, as at once after a 410, is not
 * sent again. Only what {@link MAY_GO_AGAIN}.
 */
export async function redeliverExhausted(
  store: Store,
  redelivery: ExhaustedRedelivery,
): Promise<ExhaustedRedelivered> {
  const { caller, token } = redelivery;
  if (token === null) return { kind: 'counted', answer: await countExhausted(store, redelivery) };
  const counted = readCounted(store.vault, token, filtersOf(redelivery));
  if (!counted) return { kind: 'other_token' };
  const until = counted.doneBefore;
  const redelivered = await queueAgain(store, {
    caller,
    operation: OPERATION,
    status: 'exhausted',
    until,
    limit: counted.count,
    select: (count) => exhausted(store, redelivery, { until, count }),
  });
  return { kind: 'redelivered', answer: { matching: counted.count, redelivered, more: false, token: null } };
}

async function countExhausted(store: Store, redelivery: ExhaustedRedelivery): Promise<RedeliveredExhausted> {
  const { caller, limit } = redelivery;
  const bounds = { until: await readNow(store), count: limit + 1 };
  const { rows } = await sql<{ after: string }>`${exhausted(store, redelivery, bounds)}`.execute(store.db);
  await recordAccess(store.db, { caller, operation: OPERATION });
  const count = Math.min(rows.length, limit);
  const last = rows[count - 1];
  // The set only shrinks: a message sent again is exhausted later, if at all.
  const messages = last && { doneBefore: last.after, lastId: '', count };
  const token = messages ? signCounted(store.vault, messages, filtersOf(redelivery)) : null;
  return { matching: count, redelivered: 0, more: rows.length > limit, token };
}

/** Everything that decides which messages match. */
function filtersOf({ caller, since, host }: ExhaustedRedelivery): string {
  const { accountId, mode, acrossAccounts = false } = caller;
  return JSON.stringify([OPERATION, accountId, mode, acrossAccounts, since, host ?? null]);
}

/**
 * Selects the messages in order of exhaustion, account by account, so that each is one short walk of the index on
 * (account_id, exhausted_at). `after` is the first moment past each, as Postgres writes it: a Date would lose the
 * microseconds.
 */
function exhausted(
  { vault }: Store,
  { caller, since, host }: ExhaustedRedelivery,
  { until, count }: { readonly until: string; readonly count: number },
) {
  const isOfHost =
    host === undefined
      ? sql`true`
      : sql`delivery.destination_host = any (${destinationHostsOf(vault, host)})`;
  return sql`
    select exhausted.id, exhausted.request_id, (exhausted.exhausted_at + interval '1 microsecond')::text as after
    from account cross join lateral (
      select delivery.id, delivery.request_id, delivery.exhausted_at
      from delivery
      where delivery.account_id = account.id and ${MAY_GO_AGAIN}
        and delivery.exhausted_at >= ${since} and delivery.exhausted_at < ${until}::timestamptz and ${isOfHost}
      order by delivery.exhausted_at
      limit ${count}
    ) as exhausted
    where ${within(caller, 'account.id')}
    order by exhausted.exhausted_at
    limit ${count}`;
}
