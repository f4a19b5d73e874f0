import { errorReasonOf, stateOf } from '@insurance-verification/schema';
import type { RequestInfo, RequestModel } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Tables } from '../tables/tables.ts';

/** The columns that make a `RequestModel`. */
export const requestModelColumns = [
  'id',
  'account_id',
  'input',
  'received_at',
  'outcome',
  'outcome_reason',
  'delivery',
  'delivery_reason',
] as const;

export type RequestModelRow = Pick<Selectable<Tables['request']>, (typeof requestModelColumns)[number]>;

/** Converts a row to its API form. */
export async function openRequestModel(vault: Vault, row: RequestModelRow): Promise<RequestModel> {
  return {
    request_id: row.id,
    input: await openRequestInfo(vault, row),
    received_timestamp: row.received_at.toISOString(),
    state: stateOf(row.outcome, row.delivery),
    error_reason: await openErrorReason(vault, row),
  };
}

/** Why a request ended in an error, or its result was not delivered; null where neither is so. */
export async function openErrorReason(
  vault: Vault,
  row: Omit<RequestModelRow, 'input' | 'received_at'>,
): Promise<string | null> {
  const { id, account_id: accountId, outcome, delivery, delivery_reason: deliveryReason } = row;
  const outcomeReason =
    row.outcome_reason &&
    (await vault.openJson<string>({ accountId }, `request.outcome_reason:${id}`, row.outcome_reason));
  return errorReasonOf({ outcome, delivery, outcomeReason, deliveryReason });
}

/** As {@link openErrorReason}, of a request whose data was erased: only a slug is left. */
export function erasedErrorReason({
  outcome,
  delivery,
  delivery_reason: deliveryReason,
  erased_reason: outcomeReason,
}: Pick<Selectable<Tables['request']>, 'outcome' | 'delivery' | 'delivery_reason' | 'erased_reason'>) {
  return errorReasonOf({ outcome, delivery, outcomeReason, deliveryReason });
}

/** What a sealed service date is bound to. */
export const serviceDatePlace = (requestId: string): string => `request.service_date:${requestId}`;

/** The day that a request asks about, `YYYY-MM-DD`; null for the day of asking. */
export async function openServiceDate(
  vault: Vault,
  row: Pick<Selectable<Tables['request']>, 'id' | 'account_id' | 'service_date'>,
): Promise<string | null> {
  if (row.service_date === null) return null;
  return vault.openJson<string>({ accountId: row.account_id }, serviceDatePlace(row.id), row.service_date);
}

export function openRequestInfo(
  vault: Vault,
  { id, account_id: accountId, input }: Pick<RequestModelRow, 'id' | 'account_id' | 'input'>,
): Promise<RequestInfo> {
  return vault.openJson<RequestInfo>({ accountId }, `request.input:${id}`, input);
}
