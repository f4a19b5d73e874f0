import type { ResultSeal } from '@insurance-verification/schema';
import { type Kysely, sql } from 'kysely';
import { sealOfLine } from '../../audit/sealing/stored-seal.ts';
import type { Tables } from '../../tables/tables.ts';

/**
 * The seal over the audit's entry of a result, as its note states it. One statement writes both, so they have one time.
 * @returns null where the entry is gone, with the month that was dropped.
 */
export async function sealOfResult(
  db: Kysely<Tables>,
  { requestId, version }: { readonly requestId: string; readonly version: number },
): Promise<ResultSeal | null> {
  const { rows } = await sql<{ id: string }>`
    select entry.id from result
    join access_log as entry on entry.request_id = result.request_id and entry.at = result.applied_at
    where result.request_id = ${requestId} and result.version = ${version}
    order by entry.id limit 1`.execute(db);
  const [entry] = rows;
  if (!entry) return null;
  const seal = await sealOfLine(db, BigInt(entry.id));
  return { seal: seal?.number ?? null, sealed_at: seal?.statement?.at.toISOString() ?? null };
}
