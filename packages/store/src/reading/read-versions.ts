import type {
  ResultCorrection,
  ResultVersion,
  VerificationAttempt,
  VerificationRecord,
  VerificationSource,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import { subjectNameOf } from '../access/subject-name.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';

/** A result, with the attempt that asked the payer for it and, of a correction, the attempt that corrects that one. */
interface VersionRow {
  readonly version: number;
  readonly outcome: ResultVersion['outcome'];
  readonly applied_at: Date;
  readonly applied_by: string | null;
  /** A JSON string, as the other names. */
  readonly applied_by_name: string | null;
  readonly held_output_id: string | null;
  /** Null for a result without an attempt, as of a request that was closed. */
  readonly asked_number: number | null;
  readonly asked_by: string | null;
  readonly asked_by_name: string | null;
  readonly channel: VerificationSource | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  /** Null for a result that is not a correction. */
  readonly corrected_number: number | null;
  readonly corrected_at: Date | null;
}

/** Reads the results of a request, first to last, without what they say. For {@link toVersions}. */
export async function readVersions({ db }: Store, requestId: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select version, result.outcome, applied_at, applied_by, ${subjectNameOf('applied_by')} as applied_by_name,
      held_output_id, asked.number as asked_number, asked.key_id as asked_by,
      ${subjectNameOf('asked.key_id')} as asked_by_name, asked.channel, asked.started_at, asked.ended_at,
      correction.number as corrected_number, correction.ended_at as corrected_at
    from result
      left join verification_attempt as made on made.request_id = result.request_id and made.result_version = version
      left join verification_attempt as asked
        on asked.request_id = result.request_id and asked.number = coalesce(made.corrects, made.number)
      left join verification_attempt as correction
        on correction.request_id = result.request_id and correction.number = made.number and made.corrects is not null
    where result.request_id = ${requestId}
    order by version`.execute(db);
  return rows;
}

/**
 * Returns the results in the API's form. The reference and the representative are read from `attempts`, all those of the
 * request: a correction's replace those of the attempt that it corrects.
 */
export function toVersions(
  rows: readonly VersionRow[],
  attempts: readonly VerificationAttempt[],
): ResultVersion[] {
  const byNumber = new Map(attempts.map((attempt) => [attempt.number, attempt]));
  return rows.map((row, index) => {
    const made = rows
      .slice(0, index + 1)
      .filter((one) => one.asked_number === row.asked_number)
      .map((one) => byNumber.get(one.corrected_number ?? one.asked_number ?? 0));
    const given = [byNumber.get(row.asked_number ?? 0), ...made].toReversed();
    return {
      version: row.version,
      outcome: row.outcome,
      applied_at: row.applied_at.toISOString(),
      applied_by: row.applied_by,
      applied_by_name: nameIn(row.applied_by_name),
      held_id: row.held_output_id,
      verification: recordOf(row, {
        reference: given.find((one) => one?.reference)?.reference ?? null,
        representative: given.find((one) => one?.representative)?.representative ?? null,
      }),
      correction: correctionOf(row, byNumber.get(row.corrected_number ?? 0)),
    };
  });
}

function recordOf(
  row: VersionRow,
  given: Pick<VerificationRecord, 'reference' | 'representative'>,
): VerificationRecord | null {
  const { started_at: startedAt, ended_at: endedAt } = row;
  if (startedAt === null || endedAt === null) return null;
  return {
    verified_by: personIn(row.asked_by),
    verified_by_name: nameIn(row.asked_by_name),
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    channel: row.channel,
    ...given,
  };
}

function correctionOf(row: VersionRow, attempt: VerificationAttempt | undefined): ResultCorrection | null {
  if (row.corrected_at === null) return null;
  return {
    corrected_at: row.corrected_at.toISOString(),
    reason: attempt?.correction_reason ?? null,
  };
}

const nameIn = (text: string | null): string | null => JSON.parse(text ?? 'null') as string | null;

/** The X12 channel and the sandbox have names of their own, which are no ids. */
const personIn = (id: string | null): string | null =>
  id !== null && (isIssuedId('key', id) || isIssuedId('stf', id)) ? id : null;
