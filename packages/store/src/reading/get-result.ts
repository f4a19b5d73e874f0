import type { InsurancePlanData, RequestInfo, ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import { withinOrWorked } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { ofDay, type StoredBenefits } from '../evidence/stored-benefits.ts';
import { openRequestInfo, openServiceDate } from '../intake/read-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { StoredFinding } from '../output/apply-findings.ts';
import { findRevealed, readRevealed } from './reveal-request.ts';

type FoundResult =
  | { readonly kind: 'found'; readonly result: ResponseModel }
  /** `not_ready`: no result yet. `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_ready' | 'not_found' | 'erased' };

/** The current result, with the request's current state. */
export async function getResult(
  store: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<FoundResult> {
  const row = await findRevealed(store, { caller, requestId });
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (!row.body) return { kind: 'not_ready' };
  await recordAccess(store.db, { caller, operation: 'requests.result', requestIds: [requestId] });
  return { kind: 'found', result: await readRevealed(store, row) };
}

type FoundRequestBenefits =
  | {
      readonly kind: 'found';
      readonly version: number;
      readonly input: RequestInfo;
      readonly insuranceData: InsurancePlanData[];
      /** The day that was asked about; null where neither the request nor the result says it. */
      readonly serviceDate: string | null;
      /** Null for a result that came without. */
      readonly benefits: StoredBenefits | null;
    }
  /** `not_ready`: no such version yet. `not_found`: no such request within the caller's reach. `erased`: its data is gone. */
  | { readonly kind: 'not_ready' | 'not_found' | 'erased' };

/** A version of a result with its benefits, the standing one by default. A verifier sees it of its own work. */
export async function getBenefits(
  { db, vault }: Store,
  {
    caller,
    requestId,
    version,
  }: { readonly caller: Caller; readonly requestId: string; readonly version: number | undefined },
): Promise<FoundRequestBenefits> {
  if (!isIssuedId('req', requestId)) return { kind: 'not_found' };
  const row = await db
    .selectFrom('request')
    .leftJoin('result', (join) =>
      join
        .onRef('result.request_id', '=', 'request.id')
        .on('result.version', '=', (eb) =>
          version === undefined ? eb.ref('request.version') : eb.val(version),
        ),
    )
    .select(['request.id', 'request.account_id', 'request.input', 'request.erased_at'])
    .select('request.service_date')
    .select(['result.version', 'result.body', 'result.benefits'])
    .where('request.id', '=', requestId)
    .where(withinOrWorked(caller))
    .executeTakeFirst();
  if (!row) return { kind: 'not_found' };
  if (row.erased_at) return { kind: 'erased' };
  if (row.version === null || row.body === null) return { kind: 'not_ready' };
  await recordAccess(db, { caller, operation: 'requests.benefits', requestIds: [requestId] });
  const place = `${requestId}.${row.version}`;
  const owner = { accountId: row.account_id };
  const { insuranceData } = await vault.decryptJson<StoredFinding>(owner, `result.body:${place}`, row.body);
  const benefits =
    row.benefits &&
    (await vault.decryptJson<StoredBenefits>(owner, `result.benefits:${place}`, row.benefits));
  const input = await openRequestInfo(vault, row);
  const asked = await openServiceDate(vault, row);
  return {
    kind: 'found',
    version: row.version,
    input,
    insuranceData,
    serviceDate: asked ?? benefits?.serviceDate ?? null,
    benefits: ofDay(benefits, asked),
  };
}
