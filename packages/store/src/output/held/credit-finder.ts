import { ErrorReason, type VerificationSource } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { addAttempt, type Evidence, openEvidence } from '../../evidence/attempt-evidence.ts';
import type { LockedRequest } from '../../intake/lock-request.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { attemptOf, type ResultFinding } from '../apply-findings.ts';

interface FoundOutput {
  /** The request to which an operator applies it, locked. The finding is about to become its next result. */
  readonly request: LockedRequest;
  readonly finding: ResultFinding;
  readonly held: {
    readonly id: string;
    /** The request that it names; null for none. */
    readonly request_id: string | null;
    /** The submitting verifier's key; null when it came without one. */
    readonly received_by: string | null;
  };
  /** Of a correction, with its reason; null for any other output. */
  readonly evidence: Evidence | null;
}

/**
 * Credits the verifier who asked the payer with the result that an operator makes of a held output. The attempt that was
 * under way when the output came becomes the result's, with its own times. Where that one has ended otherwise, or is at
 * another request, an attempt is written that has them; without one, an attempt of the time when the output came. A
 * correction is an attempt of its own, which ended when it was submitted, and names the attempt that it corrects. Call it
 * before `applyFinding`, which would end open attempts as superseded.
 * @returns the attempt's number.
 */
export async function creditFinder(
  trx: Transaction<Tables>,
  { vault }: Store,
  { request, finding, held, evidence }: FoundOutput,
): Promise<number> {
  const outcome = finding.outcome === 'complete' ? ('succeeded' as const) : ('failed' as const);
  const errorReason = ErrorReason.safeParse(finding.errorReason).data ?? null;
  const receivedAt = sql<Date>`(select received_at from held_output where id = ${held.id})`;
  const asker = await findAsker(trx, held, evidence !== null);
  const found = { channel: asker?.channel ?? attemptOf(finding).channel, outcome, errorReason };
  if (asker === undefined)
    return addAttempt(trx, vault, request, {
      ...found,
      keyId: held.received_by,
      evidence: evidence ?? undefined,
      asked: { from: receivedAt, to: receivedAt },
    });
  const isHere = asker.request_id === request.id;
  if (isHere && evidence !== null)
    return addAttempt(trx, vault, request, {
      ...found,
      keyId: held.received_by,
      evidence,
      corrects: asker.number,
      asked: { from: receivedAt, to: receivedAt },
    });
  if (!isHere || !asker.is_open) {
    const said = await openEvidence(vault, asker.owner_id, asker);
    const timeOf = (column: 'started_at' | 'ended_at') => sql<Date>`(
      select ${sql.ref(column)} from verification_attempt
      where request_id = ${asker.request_id} and number = ${asker.number})`;
    return addAttempt(trx, vault, request, {
      ...found,
      keyId: asker.key_id,
      evidence: {
        reference: evidence?.reference ?? said.reference,
        representative: evidence?.representative ?? said.representative,
        provenance: evidence?.provenance ?? said.provenance,
      },
      asked: { from: timeOf('started_at'), to: evidence ? timeOf('ended_at') : receivedAt },
    });
  }
  await trx
    .updateTable('verification_attempt')
    .set({
      ended_at: sql<Date>`coalesce(ended_at, ${receivedAt})`,
      decided_at: sql<Date>`now()`,
      outcome,
      error_reason: errorReason,
      result_version: request.version + 1,
    })
    .where('request_id', '=', request.id)
    .where('number', '=', asker.number)
    .execute();
  return asker.number;
}

interface Asker {
  readonly request_id: string;
  readonly number: number;
  readonly channel: VerificationSource | null;
  readonly key_id: string | null;
  readonly evidence: Buffer | null;
  /** It is under way, or its finding is held. */
  readonly is_open: boolean;
  /** The account of its request. */
  readonly owner_id: string;
}

/**
 * The attempt that asked the payer for what a held output says: of a correction, that of the verifier's result at that time;
 * of any other, the verifier's attempt that was under way or ended with it. Undefined where there was none.
 */
async function findAsker(
  trx: Transaction<Tables>,
  { id, request_id: requestId, received_by: keyId }: FoundOutput['held'],
  isCorrection: boolean,
): Promise<Asker | undefined> {
  if (requestId === null || keyId === null) return undefined;
  const number = isCorrection
    ? sql`(
      select coalesce(made.corrects, made.number)
      from result join verification_attempt as made
        on made.request_id = result.request_id and made.result_version = result.version
      where result.request_id = ${requestId} and made.key_id = ${keyId} and result.applied_at <= held.received_at
      order by result.version desc limit 1)`
    : sql`(
      select max(number) from verification_attempt as own
      where own.request_id = ${requestId} and own.key_id = ${keyId} and own.result_version is null
        and own.started_at <= held.received_at and coalesce(own.ended_at >= held.received_at, true))`;
  const { rows } = await sql<Asker>`
    select asker.request_id, asker.number, asker.channel, asker.key_id, asker.evidence,
      asker.outcome in ('working', 'held') as is_open, request.account_id as owner_id
    from held_output as held
      join verification_attempt as asker on asker.request_id = ${requestId} and asker.number = ${number}
      join request on request.id = asker.request_id
    where held.id = ${id}`.execute(trx);
  return rows[0];
}
