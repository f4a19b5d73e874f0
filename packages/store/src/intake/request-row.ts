import { errorReasonOf, stateOf } from '@insurance-verification/schema';
import type { RequestInfo, RequestModel } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Tables } from '../tables.ts';

/** The columns that make a `RequestModel`. */
export const requestModelColumns = [
  'id',
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
  const { id, outcome, delivery } = row;
  const outcomeReason =
    row.outcome_reason && (await vault.openJson<string>(`request.outcome_reason:${id}`, row.outcome_reason));
  return {
    request_id: id,
    input: await openRequestInfo(vault, row),
    received_timestamp: row.received_at.toISOString(),
    state: stateOf(outcome, delivery),
    error_reason: errorReasonOf({
      outcome,
      delivery,
      outcomeReason,
      deliveryReason: row.delivery_reason,
    }),
  };
}

export function openRequestInfo(vault: Vault, row: { id: string; input: Buffer }): Promise<RequestInfo> {
  return vault.openJson<RequestInfo>(`request.input:${row.id}`, row.input);
}
