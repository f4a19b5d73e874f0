import type { ResultVersion, X12ExchangeSummary } from '@insurance-verification/schema';
import { subjectNameOf } from '../../access/subject-name.ts';
import { explainReason } from '../../evidence/attempt-evidence.ts';
import type { Store } from '../../open-store.ts';

/** The results of a request, first to last, without what they say. */
export async function readVersions({ db }: Store, requestId: string): Promise<ResultVersion[]> {
  const rows = await db
    .selectFrom('result')
    .select(['version', 'outcome', 'applied_at', 'applied_by', 'held_output_id'])
    .select(subjectNameOf('result.applied_by').as('applied_by_name'))
    .where('request_id', '=', requestId)
    .orderBy('version')
    .execute();
  return rows.map((row) => ({
    version: row.version,
    outcome: row.outcome,
    applied_at: row.applied_at.toISOString(),
    applied_by: row.applied_by,
    applied_by_name: JSON.parse(row.applied_by_name ?? 'null') as string | null,
    held_id: row.held_output_id,
  }));
}

/** The exchanges about a request, first to last, without their sealed texts. */
export async function readExchangeSummaries({ db }: Store, requestId: string): Promise<X12ExchangeSummary[]> {
  const rows = await db
    .selectFrom('x12_exchange')
    .select([
      'control_number',
      'payer_id',
      'started_at',
      'duration_ms',
      'status_code',
      'error_reason',
      'payer_codes',
    ])
    .where('request_id', '=', requestId)
    .orderBy('started_at')
    .orderBy('control_number')
    .execute();
  return rows.map((row) => ({
    control_number: row.control_number,
    payer_id: row.payer_id,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    ...explainReason(row.error_reason),
    payer_codes: row.payer_codes,
  }));
}
