import { type RequestSummary, stateOf } from '@insurance-verification/schema';
import { type Selectable, sql } from 'kysely';
import type { Vault } from '../../encryption/vault.ts';
import { erasedErrorReason, openErrorReason } from '../../intake/read-request.ts';
import { channelOf, type QueueName, type Route } from '../../tables/route.ts';
import type { Tables } from '../../tables/tables.ts';
import type { ShownParts } from './open-shown.ts';

export type SummaryRow = Pick<
  Selectable<Tables['request']>,
  | 'id'
  | 'account_id'
  | 'payer_id'
  | 'payer_name'
  | 'received_at'
  | 'outcome'
  | 'outcome_reason'
  | 'delivery'
  | 'delivery_reason'
  | 'erased_at'
  | 'erased_reason'
  | 'needed_by'
> & {
  readonly channel: QueueName;
  readonly is_overdue: boolean;
  /** A JSON string. */
  readonly account_name: string;
};

/**
 * Where a request waits, or where it ended: of `request` and its row of `work_queue`, if it has one. An unfinished one that
 * was erased waits nowhere.
 */
export const CHANNEL_NOW = sql<QueueName>`coalesce(work_queue.channel, request.channel, 'entry')`;

/**
 * Of `request`: its first result came, or does not come, later than it is needed. A result at that very time is in time,
 * and what does not say when it is needed is never late.
 */
export const IS_OVERDUE = sql<boolean>`coalesce(request.needed_by < coalesce((
    select applied_at from result as first where first.request_id = request.id and first.version = 1
  ), now()), false)`;

/** What a row says by itself of a request in a list. */
export type RowSummary = Omit<RequestSummary, keyof ShownParts>;

/** A row in the API's form. @throws {SealBrokenError} when its reason does not open. */
export async function toSummary(
  vault: Vault,
  routes: readonly Route[],
  row: SummaryRow,
): Promise<RowSummary> {
  return {
    request_id: row.id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    payer_id: row.payer_id,
    payer: row.payer_name,
    received_timestamp: row.received_at.toISOString(),
    state: stateOf(row.outcome, row.delivery),
    error_reason: row.erased_at ? erasedErrorReason(row) : await openErrorReason(vault, row),
    channel: channelIn(routes, row),
    erased_at: row.erased_at?.toISOString() ?? null,
    needed_by: row.needed_by?.toISOString() ?? null,
    overdue: row.is_overdue,
  };
}

/** The first channel of its payer's route while nobody took it; `api` where the configuration dropped the payer. */
export function channelIn(
  routes: readonly Route[],
  { channel, payer_id: payerId }: Pick<SummaryRow, 'channel' | 'payer_id'>,
): RequestSummary['channel'] {
  if (channel !== 'entry') return channel;
  const route = routes.find((one) => one.payerId === payerId);
  return route ? channelOf(route, channel).source : 'api';
}
