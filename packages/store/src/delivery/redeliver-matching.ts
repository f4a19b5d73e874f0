import type { RedeliveredMatching } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { recordAccess } from '../access/record-access.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import {
  accountsOf,
  and,
  type DeliveryFilter,
  idSpan,
  LAST_ATTEMPT,
  LAST_OF_ALL,
  MAY_GO_AGAIN,
  mayMatch,
  ofAccount,
  residualConditions,
} from './delivery-filter.ts';
import { type CountedMessages, queueAgain, readCounted, readNow, signCounted } from './redeliver.ts';

interface MatchingFilter extends DeliveryFilter {
  /** Only this one. */
  readonly deliveryId?: string | undefined;
  readonly status: 'exhausted' | 'delivered';
  readonly since: Date;
}

export interface MatchingRedelivery extends MatchingFilter {
  readonly limit: number;
  /** A dry run's answer; null for a dry run. */
  readonly token: string | null;
}

/** `other_token`: it was not signed here, or for other filters or another caller's reach. */
type MatchingRedelivered =
  | { readonly kind: 'counted' | 'redelivered'; readonly answer: RedeliveredMatching }
  | { readonly kind: 'other_token' };

const OPERATION = 'deliveries.redeliverMatching';

/**
 * Counts matching messages, or with the token of that count starts a new round of attempts for them: only those that
 * still match. So a call never sends more than was counted, and a second one only the rest. Only what
 * {@link MAY_GO_AGAIN}.
 */
export async function redeliverMatching(
  store: Store,
  redelivery: MatchingRedelivery,
): Promise<MatchingRedelivered> {
  const { token } = redelivery;
  if (token === null) return { kind: 'counted', answer: await countMatching(store, redelivery) };
  const counted = readCounted(store.vault, token, filtersOf(redelivery));
  if (!counted) return { kind: 'other_token' };
  const { caller, status } = redelivery;
  const redelivered = await queueAgain(store, {
    caller,
    operation: OPERATION,
    status,
    until: counted.doneBefore,
    limit: counted.count,
    select: (count) => matching(store, { ...redelivery, ...counted, count }),
  });
  const answer = { matching: counted.count, redelivered, more: false, token: null };
  return { kind: 'redelivered', answer };
}

async function countMatching(store: Store, redelivery: MatchingRedelivery): Promise<RedeliveredMatching> {
  const { caller, limit, deliveryId } = redelivery;
  const doneBefore = await readNow(store);
  const scope = { ...redelivery, doneBefore, lastId: LAST_OF_ALL, count: limit + 1 };
  const found =
    mayMatch(redelivery) && (deliveryId === undefined || isIssuedId('msg', deliveryId))
      ? await sql<{ id: string }>`${matching(store, scope)}`.execute(store.db)
      : { rows: [] };
  await recordAccess(store.db, { caller, operation: OPERATION });
  const counted = found.rows.slice(0, limit);
  const last = counted.at(-1);
  const messages = last && { doneBefore, lastId: last.id, count: counted.length };
  const token = messages ? signCounted(store.vault, messages, filtersOf(redelivery)) : null;
  return { matching: counted.length, redelivered: 0, more: found.rows.length > limit, token };
}

/** Everything that decides which messages match. */
function filtersOf({ caller, token: _token, limit: _limit, ...filters }: MatchingRedelivery): string {
  const { accountId, mode, acrossAccounts = false, onlyMode = null } = caller;
  return JSON.stringify([accountId, mode, acrossAccounts, onlyMode, Object.entries(filters).toSorted()]);
}

/** Selects the matching messages in order of acceptance: account by account, each one walk of its index. */
function matching(
  { vault }: Store,
  { doneBefore, lastId, count, ...filter }: MatchingFilter & CountedMessages,
) {
  const conditions = [
    ofAccount(idSpan(filter)),
    sql<boolean>`delivery.status = ${sql.lit(filter.status)}`,
    ...(filter.status === 'exhausted' ? [sql<boolean>`delivery.exhausted_at is not null`] : []),
    sql<boolean>`delivery.done_at < ${doneBefore}::timestamptz and delivery.id <= ${lastId}`,
    MAY_GO_AGAIN,
    ...(filter.deliveryId === undefined ? [] : [sql<boolean>`delivery.id = ${filter.deliveryId}`]),
    ...(filter.requestId === undefined ? [] : [sql<boolean>`delivery.request_id = ${filter.requestId}`]),
    ...residualConditions(vault, filter),
  ];
  return sql`
    select matching.id, matching.request_id
    from account cross join lateral (
      select delivery.id, delivery.request_id
      from delivery ${LAST_ATTEMPT}
      where ${and(conditions)}
      order by delivery.account_id, delivery.id
      limit ${count}
    ) as matching
    where ${accountsOf(filter)}
    order by matching.id
    limit ${count}`;
}
