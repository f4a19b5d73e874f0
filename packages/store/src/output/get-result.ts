import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { openRequestModel, requestModelColumns } from '../intake/request-row.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from './finding/apply-findings.ts';

export type FoundResult =
  | { readonly kind: 'found'; readonly result: ResponseModel }
  /** `not_ready`: no result yet. `not_found`: no such request within the caller's reach. */
  | { readonly kind: 'not_ready' | 'not_found' };

/** The current result, with the request's current state. */
export async function getResult(
  { db, vault }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<FoundResult> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await db
    .selectFrom('request')
    .leftJoin('result', (join) =>
      join.onRef('result.request_id', '=', 'request.id').onRef('result.version', '=', 'request.version'),
    )
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(['request.version', 'result.body'])
    .where('request.id', '=', requestId)
    .where(within(caller, 'request.account_id'))
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (!row.body) return { kind: 'not_ready' };
  await recordAccess(db, { caller, operation: 'requests.result', requestIds: [requestId] });
  const finding = await vault.openJson<StoredFinding>(`result.body:${requestId}.${row.version}`, row.body);
  const request = await openRequestModel(vault, row);
  return { kind: 'found', result: { request, insurance_data: finding.insuranceData } };
}
