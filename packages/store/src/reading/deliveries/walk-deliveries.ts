import type { DeliveryStatus } from '@insurance-verification/schema';
import { type RawBuilder, sql } from 'kysely';
import { within } from '../../access/reach.ts';
import { accountsOf, and, type DeliveryFilter, idSpan, ofAccount } from '../../delivery/delivery-filter.ts';
import { directionOf, type PageOptions } from '../../page.ts';

export interface DeliverySelection extends DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
}

interface DeliveryWalk extends DeliverySelection, Pick<PageOptions, 'cursor' | 'order'> {
  /** How many rows it reads at most, of each account where it goes from account to account. */
  readonly count: number;
}

/**
 * Whether the walk passes rows of other statuses. Only those given up have an index of their own: it is written when
 * one fails, whereas one by status would be written with each delivery that succeeds.
 */
export const passesOthers = ({ requestId, status }: DeliverySelection): boolean =>
  requestId === undefined && status !== undefined && status !== 'exhausted';

/** What a list shows. Not the body: it may be large, and is a patient's. */
const COLUMNS = sql`delivery.id, delivery.request_id, delivery.account_id, delivery.version, delivery.status,
  delivery.reason, delivery.destination, delivery.destination_host, delivery.accepted_at, delivery.done_at,
  delivery.attempt_count`;

/**
 * Selects the newest deliveries within reach, or the oldest, by index alone: across all accounts by the primary key; otherwise, and for
 * those given up, account by account, since these few are met only there.
 */
export function walkDeliveries(walk: DeliveryWalk): RawBuilder<unknown> {
  const { caller, accountId, requestId, status, count } = walk;
  const span = idSpan(walk);
  const direction = directionOf(walk);
  const inSpan = sql<boolean>`delivery.id >= ${span.floor} and delivery.id < ${span.end}`;
  if (requestId !== undefined) {
    const ofOne = accountId === undefined ? [] : [sql<boolean>`delivery.account_id = ${accountId}`];
    const ofStatus = status === undefined ? [] : [sql<boolean>`delivery.status = ${status}`];
    const named = sql<boolean>`delivery.request_id = ${requestId}`;
    const conditions = [named, within(caller, 'delivery.account_id'), ...ofOne, ...ofStatus, inSpan];
    return sql`select ${COLUMNS} from delivery where ${and(conditions)}
      order by delivery.id ${direction} limit ${count}`;
  }
  const isGivenUp = status === 'exhausted';
  const isEverywhere = caller.acrossAccounts === true && caller.mode === 'live' && accountId === undefined;
  if (isEverywhere && !isGivenUp)
    return sql`select ${COLUMNS} from delivery where ${inSpan} order by delivery.id ${direction} limit ${count}`;
  const givenUp = isGivenUp ? [sql<boolean>`delivery.exhausted_at is not null`] : [];
  const conditions = [ofAccount(span), ...givenUp];
  return sql`select walked.* from account cross join lateral (
      select ${COLUMNS} from delivery where ${and(conditions)}
      order by delivery.account_id ${direction}, delivery.id ${direction} limit ${count}
    ) as walked
    where ${accountsOf(walk)} order by walked.id ${direction} limit ${count}`;
}
