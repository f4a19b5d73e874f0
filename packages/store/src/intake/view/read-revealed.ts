import type { ResponseModel } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';
import type { StoredFinding } from '../../output/finding/apply-findings.ts';
import { openRequestModel, requestModelColumns, type RequestModelRow } from '../request-row.ts';

/** The columns of `request` joined to its current `result` that {@link readRevealed} reads. */
export const revealedColumns = [
  ...requestModelColumns.map((column) => `request.${column}` as const),
  'request.version',
  'result.body',
] as const;

/** A request with its patient, and the result that stands; no coverage before one. */
export async function readRevealed(
  { vault }: Store,
  row: RequestModelRow & { readonly version: number; readonly body: Buffer | null },
): Promise<ResponseModel> {
  const finding =
    row.body && (await vault.openJson<StoredFinding>(`result.body:${row.id}.${row.version}`, row.body));
  const request = await openRequestModel(vault, row);
  return { request, insurance_data: finding?.insuranceData ?? [] };
}
