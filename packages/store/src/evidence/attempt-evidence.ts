import {
  ERROR_REASONS,
  ErrorReason,
  type FieldProvenance,
  type VerificationAttempt,
  type VerificationSource,
} from '@insurance-verification/schema';
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { LockedRequest } from '../intake/lock-request.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import type { FoundBenefits } from './stored-benefits.ts';

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
  const {
    note = null,
    reference = null,
    representative,
    provenance = [],
    samePatientConfirmed = false,
    correctionReason,
  } = evidence;
  return {
    number: row.number,
    channel: row.channel,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    outcome: row.outcome,
    ...explainReason(row.error_reason),
    reference,
    ...(representative && { representative }),
    provenance: [...provenance],
    result_version: row.result_version,
    note,
    ...(samePatientConfirmed && { same_patient_confirmed: true as const }),
    ...(correctionReason !== undefined && { correction_reason: correctionReason }),
    key_id: row.key_id,
    ...(row.verifier_name !== null && { verifier_name: JSON.parse(row.verifier_name) as string }),
    on_call_until: row.in_portal ? null : keptUntil,
    ...(row.in_portal && keptUntil !== null && { in_portal_until: keptUntil }),
  };
}

/** A lease that was released or lapsed this soon without a note is not an attempt to verify. */
const LOOK_MS = 60_000;

/** The attempts that a provider sees: without leases that were released or lapsed within a minute without a note. */
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
    correction_reason: _reason,
    ...shown
  } = attempt;
  return shown;
}

/** A verifier's evidence for an attempt, next to its result. Encrypted: it may name the patient. */
export interface Evidence {
  readonly note?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly representative?: string | null | undefined;
  readonly provenance?: readonly FieldProvenance[] | undefined;
  /** The verifier confirmed that it is the patient, where the data did not show it. */
  readonly samePatientConfirmed?: boolean | undefined;
  /** Why the verifier corrects their own result. */
  readonly correctionReason?: string | undefined;
}

/**
 * Encrypts evidence for the attempt under way of a locked, leased request. Null when there is nothing to store.
 */
export async function encryptEvidence(
  vault: Vault,
  request: { readonly id: string; readonly account_id: string; readonly attempt_number: number },
  { note, reference, representative, provenance, samePatientConfirmed, correctionReason }: Evidence,
): Promise<Buffer | null> {
  const { id, account_id: accountId, attempt_number: number } = request;
  const kept = {
    ...(note !== null && note !== undefined && { note }),
    ...(reference !== null && reference !== undefined && { reference }),
    ...(representative && { representative }),
    ...(provenance !== undefined && provenance.length > 0 && { provenance }),
    ...(samePatientConfirmed === true && { samePatientConfirmed }),
    ...(correctionReason !== undefined && { correctionReason }),
  };
  if (Object.keys(kept).length === 0) return null;
  return vault.encrypt({ accountId }, placeOf(id, number), JSON.stringify(kept));
}

/** Adds the quotes that benefits were read from, or heard in. */
export function withQuotes(
  evidence: Evidence,
  benefits: FoundBenefits | undefined,
  channel: string,
): Evidence {
  const quotes = (benefits?.coverages ?? []).flatMap(({ rows }, entry) =>
    rows.flatMap((row) => {
      const quote = 'submitted' in row ? row.submitted.quote : null;
      return quote ? [{ field: `/${entry}/benefits/b${row.row}`, source: channel, quote }] : [];
    }),
  );
  if (quotes.length === 0) return evidence;
  return { ...evidence, provenance: [...(evidence.provenance ?? []), ...quotes] };
}

/** `accountId` is the request's. */
export async function openEvidence(
  vault: Vault,
  accountId: string,
  row: { readonly request_id: string; readonly number: number; readonly evidence: Buffer | null },
): Promise<Evidence> {
  if (row.evidence === null) return {};
  return vault.decryptJson<Evidence>({ accountId }, placeOf(row.request_id, row.number), row.evidence);
}

function placeOf(requestId: string, number: number): string {
  return `verification_attempt.evidence:${requestId}.${number}`;
}

/** A stored reason with the API's explanation. All null for no reason, and for a slug removed from the registry. */
export function explainReason(
  stored: string | null,
): Pick<VerificationAttempt, 'error_reason' | 'fixed_by' | 'explanation'> {
  const { data: reason = null } = ErrorReason.safeParse(stored);
  const fact = reason && ERROR_REASONS[reason];
  return { error_reason: reason, fixed_by: fact?.fixedBy ?? null, explanation: fact?.sentence ?? null };
}

/**
 * The number of a request's next attempt, as an expression. The caller has locked the request's place in the queue,
 * or a finished request itself, so no two attempts get the same number.
 */
export const nextAttemptNumber = (requestId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(max(number), 0) + 1 from verification_attempt as earlier
    where earlier.request_id = ${requestId})`;

interface FoundBy {
  readonly channel: VerificationSource | null;
  /** The verifier's key; null when the finding came without one. */
  readonly keyId: string | null;
  readonly outcome: 'succeeded' | 'failed';
  readonly errorReason: ErrorReason | null;
  /** Absent where none came with it. */
  readonly evidence?: Evidence | undefined;
  /** Of a correction, the attempt that asked the payer; absent otherwise. */
  readonly corrects?: number | undefined;
  /** Of a finding that an operator applies now, when the payer was asked; absent for one that is applied as it comes. */
  readonly asked?: { readonly from: RawBuilder<Date>; readonly to: RawBuilder<Date> } | undefined;
}

/**
 * Credits a verifier with the next result of a locked request by a new attempt. Call it before `applyFinding`.
 * @returns the attempt's number.
 */
export async function addAttempt(
  trx: Transaction<Tables>,
  vault: Vault,
  request: LockedRequest,
  { channel, keyId, outcome, errorReason, evidence = {}, corrects, asked }: FoundBy,
): Promise<number> {
  const { number } = await trx
    .selectNoFrom(nextAttemptNumber(sql`${request.id}`).as('number'))
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('verification_attempt')
    .values({
      request_id: request.id,
      number,
      account_id: request.account_id,
      payer_id: request.payer_id,
      channel,
      key_id: keyId,
      ...(asked && { started_at: asked.from, decided_at: sql<Date>`now()` }),
      ended_at: asked?.to ?? sql<Date>`now()`,
      outcome,
      error_reason: errorReason,
      result_version: request.version + 1,
      corrects: corrects ?? null,
      evidence: await encryptEvidence(vault, { ...request, attempt_number: number }, evidence),
    })
    .execute();
  return number;
}
