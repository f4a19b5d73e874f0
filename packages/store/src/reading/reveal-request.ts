import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { accountNameOf } from '../access/list-accounts.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { openRequestModel, requestModelColumns, type RequestModelRow } from '../intake/read-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from '../output/apply-findings.ts';
import { CHANNEL_NOW, DOWN_SINCE, IS_OVERDUE } from './open-shown.ts';

type RevealedRequest =
  | { readonly kind: 'found'; readonly revealed: ResponseModel }
  /** `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_found' | 'erased' };

/** A request with its patient, and the current result: shown on a page after it was asked for. */
export async function revealRequest(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<RevealedRequest> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  await recordAccess(store.db, { caller, operation: 'requests.reveal', requestIds: [requestId] });
  return { kind: 'found', revealed: await readRevealed(store, row) };
}

/** A request within the caller's reach, with its standing result: the row that {@link readRevealed} opens. */
export async function findRevealed(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
) {
  if (!isIssuedId('req', requestId)) return undefined;
  return db
    .selectFrom('request')
    .leftJoin('result', (join) =>
      join.onRef('result.request_id', '=', 'request.id').onRef('result.version', '=', 'request.version'),
    )
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(accountNameOf('request.account_id').as('account_name'))
    .select(['request.payer_id', 'request.payer_name', 'request.sandbox'])
    .select(['request.version', 'request.erased_at', 'request.erased_reason', 'result.body'])
    .select(['request.service_date', 'request.needed_by', IS_OVERDUE.as('is_overdue')])
    .leftJoin('work_queue', 'work_queue.request_id', 'request.id')
    .select([CHANNEL_NOW.as('channel'), 'work_queue.channel_until', DOWN_SINCE.as('down_since')])
    .where('request.id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
}

/** A request with its patient, and the current result; no coverage before one. */
export async function readRevealed(
  { vault }: Store,
  row: RequestModelRow & { readonly version: number; readonly body: Buffer | null },
): Promise<ResponseModel> {
  const { id, account_id: accountId, version, body } = row;
  const finding =
    body && (await vault.decryptJson<StoredFinding>({ accountId }, `result.body:${id}.${version}`, body));
  const request = await openRequestModel(vault, row);
  return { request, insurance_data: finding?.insuranceData ?? [] };
}
