import type { AttemptResult, VerificationSource } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import { type Evidence, openEvidence } from './attempt-evidence.ts';

/** One attempt at a request, whole. The note and the key are not for the provider. */
export interface AttemptView {
  readonly number: number;
  /** Null for an output that named none. */
  readonly channel: VerificationSource | null;
  readonly keyId: string | null;
  readonly startedAt: Date;
  /** Null while it is under way. */
  readonly endedAt: Date | null;
  readonly outcome: AttemptResult;
  /** A slug; null when nothing failed. */
  readonly errorReason: string | null;
  readonly resultVersion: number | null;
  readonly evidence: Evidence;
}

/** The attempts at these requests, each request's first to last. */
export async function readAttempts(
  { db, vault }: Store,
  requestIds: readonly string[],
): Promise<Map<string, AttemptView[]>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('verification_attempt')
    .selectAll()
    .where('request_id', 'in', [...requestIds])
    .orderBy('request_id')
    .orderBy('number')
    .execute();
  const attempts = await Promise.all(
    rows.map(async (row) => ({
      requestId: row.request_id,
      view: {
        number: row.number,
        channel: row.channel,
        keyId: row.key_id,
        startedAt: row.started_at,
        endedAt: row.ended_at,
        outcome: row.outcome,
        errorReason: row.error_reason,
        resultVersion: row.result_version,
        evidence: await openEvidence(vault, row),
      } satisfies AttemptView,
    })),
  );
  const byRequest = Map.groupBy(attempts, ({ requestId }) => requestId);
  return new Map([...byRequest].map(([id, found]) => [id, found.map(({ view }) => view)]));
}
