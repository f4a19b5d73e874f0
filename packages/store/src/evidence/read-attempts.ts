import type { VerificationAttempt } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { openEvidence } from './attempt-evidence.ts';
import { explainReason } from './explain-reason.ts';

/** The complete attempts at these requests, each request's first to last. */
export async function readAttempts(
  { db, vault }: Store,
  requestIds: readonly string[],
): Promise<Map<string, VerificationAttempt[]>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('verification_attempt')
    .innerJoin('request', 'request.id', 'request_id')
    .selectAll('verification_attempt')
    .leftJoin('staff', 'staff.id', 'verification_attempt.key_id')
    .select(['request.account_id as owner_id', 'staff.name as verifier_name'])
    .where('request_id', 'in', [...requestIds])
    .orderBy('request_id')
    .orderBy('number')
    .execute();
  const attempts = await Promise.all(
    rows.map(async (row) => ({ requestId: row.request_id, attempt: await openAttempt(vault, row) })),
  );
  const byRequest = Map.groupBy(attempts, ({ requestId }) => requestId);
  return new Map([...byRequest].map(([id, found]) => [id, found.map(({ attempt }) => attempt)]));
}

/** The note and the verifier's key are for colleagues, not for the provider. */
async function openAttempt(
  vault: Vault,
  row: Selectable<Tables['verification_attempt']> & {
    readonly owner_id: string;
    readonly verifier_name: string | null;
  },
): Promise<VerificationAttempt> {
  const evidence = await openEvidence(vault, row.owner_id, row);
  const keptUntil = row.ended_at === null ? (row.on_call_until?.toISOString() ?? null) : null;
  const { note = null, reference = null, provenance = [], samePatientConfirmed = false } = evidence;
  return {
    number: row.number,
    channel: row.channel,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    outcome: row.outcome,
    ...explainReason(row.error_reason),
    reference,
    provenance: [...provenance],
    result_version: row.result_version,
    note,
    ...(samePatientConfirmed && { same_patient_confirmed: true as const }),
    key_id: row.key_id,
    ...(row.verifier_name !== null && { verifier_name: JSON.parse(row.verifier_name) as string }),
    on_call_until: row.in_portal ? null : keptUntil,
    ...(row.in_portal && keptUntil !== null && { in_portal_until: keptUntil }),
  };
}

/** A lease that ended this soon without a word was a look, not an attempt to verify. */
const LOOK_MS = 60_000;

/** The attempts that a provider sees: without leases that were given back or lapsed within a minute, with nothing typed. */
export function forProvider(attempts: readonly VerificationAttempt[]): VerificationAttempt[] {
  return attempts.filter((attempt) => !isLook(attempt)).map(withoutInternals);
}

function isLook({
  outcome,
  started_at: startedAt,
  ended_at: endedAt,
  note,
  reference,
  provenance,
}: VerificationAttempt) {
  if (endedAt === null || (outcome !== 'released' && outcome !== 'lease_expired')) return false;
  const isEmpty = note === null && reference === null && provenance.length === 0;
  return isEmpty && Date.parse(endedAt) - Date.parse(startedAt) < LOOK_MS;
}

/** An attempt as the provider may see it. */
export function withoutInternals(attempt: VerificationAttempt): VerificationAttempt {
  const {
    note: _note,
    key_id: _keyId,
    verifier_name: _name,
    same_patient_confirmed: _confirmed,
    ...shown
  } = attempt;
  return shown;
}
