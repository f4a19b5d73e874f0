import {
  errorReasonOf,
  type Outcome,
  type RequestInfo,
  type RequestModel,
  stateOf,
} from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';

/** `not_found`: no such request within the caller's reach; also for malformed ids. */
type RequestRead =
  | { readonly kind: 'found'; readonly request: RequestModel }
  /** `erased`: its data is gone. */
  | { readonly kind: 'not_found' | 'erased' };

/** One request in its current state. */
export async function getRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RequestRead> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await store.db
    .selectFrom('request')
    .select([...requestModelColumns, 'erased_at'])
    .where('id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  await recordAccess(store.db, { caller, operation: 'requests.get', requestIds: [requestId] });
  return { kind: 'found', request: await openRequestModel(store.vault, row) };
}

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
    (await vault.decryptJson<string>({ accountId }, `request.outcome_reason:${id}`, row.outcome_reason));
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

/** The place of an encrypted service date. */
export const serviceDatePlace = (requestId: string): string => `request.service_date:${requestId}`;

/** The place of an encrypted gender. */
export const genderPlace = (requestId: string): string => `request.gender:${requestId}`;

/** The gender that a request gives for inquiries over X12; null where it gives none. */
export async function openGender(
  vault: Vault,
  row: Pick<Selectable<Tables['request']>, 'id' | 'account_id' | 'gender'>,
): Promise<string | null> {
  if (row.gender === null) return null;
  return vault.decryptJson<string>({ accountId: row.account_id }, genderPlace(row.id), row.gender);
}

/** The day that a request asks about, `YYYY-MM-DD`; null for the day of asking. */
export async function openServiceDate(
  vault: Vault,
  row: Pick<Selectable<Tables['request']>, 'id' | 'account_id' | 'service_date'>,
): Promise<string | null> {
  if (row.service_date === null) return null;
  return vault.decryptJson<string>({ accountId: row.account_id }, serviceDatePlace(row.id), row.service_date);
}

export function openRequestInfo(
  vault: Vault,
  { id, account_id: accountId, input }: Pick<RequestModelRow, 'id' | 'account_id' | 'input'>,
): Promise<RequestInfo> {
  return vault.decryptJson<RequestInfo>({ accountId }, `request.input:${id}`, input);
}

/** The groups of finished requests, by two columns of an index. */
export const FINISHED = (['complete', 'error_verifying'] as const satisfies Outcome[]).flatMap((outcome) =>
  [false, true].map((undelivered) => ({ outcome, undelivered })),
);
