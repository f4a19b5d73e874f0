import { BenefitReading } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import type { Procedure } from '../parts/parts.ts';
import {
  type AddedRow,
  type AskedInquiries,
  type AskedInquiry,
  keyOfProcedure,
  type LaterAnswer,
} from './asked-inquiries.ts';
import { isOfPlan } from './coverages/deciding-rows.ts';
import { OTHER_PAYER } from './eb-codes.ts';
import { readBenefitRow } from './read-benefit-row.ts';
import { type AnswerContext, type Finding, readFound, type ReadAnswer } from './read-finding.ts';
import { type AskedProcedure, askedProcedures } from './to-eligibility-inquiry.ts';

/**
 * Reads the answers to all inquiries of a request as one. The first has the status and the plan, the others add rows for
 * codes and for single services. Each must be about the patient by itself: another's adds nothing, and the notes say so. What
 * is refused, is missing or says Inactive changes nothing but the notes.
 */
export function readFindings(
  { found, finding }: ReadAnswer,
  inquiries: AskedInquiries,
  context: AnswerContext,
): Finding {
  if (found.kind === 'ended') return finding;
  const { benefits } = found.placed.member;
  const later = inquiries.others.map((one) => readLater(one, benefits, context));
  return readFound(found, context, { inquiries, later });
}

type Asked = Pick<AskedInquiry, 'answer' | 'failure' | 'procedures'>;

/** Reads what an answer adds to the rows of the first. */
function readLater(
  { answer, failure, procedures }: Asked,
  first: readonly Benefit[],
  context: AnswerContext,
): LaterAnswer {
  if (answer === null) return { kind: 'unavailable', codes: failure === null ? [] : [failure] };
  const { found, finding } = answer;
  const { payerCodes } = finding;
  if (found.kind === 'ended' && found.isOfAnother) return { kind: 'another_patient' };
  if (found.kind === 'ended' || isRejected(finding)) {
    const isAway = finding.kind === 'no_result' && UNAVAILABLE.has(finding.reason);
    return { kind: isAway ? 'unavailable' : 'refused', codes: payerCodes };
  }
  const statuses =
    finding.kind === 'result' ? finding.insuranceData.map((one) => one.plan_info.eligibility_status) : [];
  if (statuses.includes('Inactive') && !statuses.includes('Active')) return { kind: 'not_active' };
  const { placed } = found;
  const rows = addedRows(placed.member.benefits, first);
  const named = namedIn(
    rows.map(({ row }) => row),
    procedures,
    context,
  );
  const refusals = payerCodes.filter((code) => REFUSALS.has(code));
  const isRefused = procedures.length > 0 && named.length === 0;
  return isRefused && refusals.length > 0
    ? { kind: 'refused', codes: refusals }
    : { kind: 'answered', placed, rows };
}

/** The payer's codes for an inquiry that asks or sends more than it takes; none is about the patient. */
const REFUSALS: ReadonlySet<string> = new Set(
  ['15', '33', '52', '53', '54', '55'].map((code) => `AAA ${code}`),
);

/**
 * Whether a payer refuses what an inquiry asks for or sends (AAA 15, 33, 52 to 55), with a status next to it or without: less
 * may be answered.
 */
export function isRefusal({ kind, payerCodes }: Finding): boolean {
  const [first = ''] = payerCodes;
  return kind === 'result' ? payerCodes.some((code) => REFUSALS.has(code)) : REFUSALS.has(first);
}

/** Reasons that say nothing of the inquiry. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'payer_unavailable',
  'payer_throttled',
  'payer_response_invalid',
]);

/** An answer for codes need not repeat the status of the plan. */
function isRejected(finding: Finding): boolean {
  return finding.kind === 'no_result' && finding.reason !== 'requires_other_channel';
}

/** Rows for codes and single services that the first answer does not have; an age limit goes with the row before it. */
function addedRows(benefits: readonly Benefit[], first: readonly Benefit[]): AddedRow[] {
  const known = new Map(first.map((row) => [textOf(row), row]));
  const plans = first.filter((row) => row.planName !== null && isOfPlan(row));
  const rows: AddedRow[] = [];
  let after: Benefit | null = null;
  let isAdded = false;
  for (const row of benefits) {
    const isLimit =
      AGES.has(row.quantityQualifier ?? '') && row.serviceTypes.length + row.procedures.length === 0;
    if (!isLimit) {
      const repeated = known.get(textOf(row));
      isAdded = row.code !== OTHER_PAYER && !isOfPlan(row) && repeated === undefined;
      if (!isAdded) after = repeated ?? plans.find(({ planName }) => planName === row.planName) ?? after;
    }
    if (isAdded) rows.push({ row, after });
  }
  return rows;
}

/** EB09 of an age limit. */
const AGES: ReadonlySet<string> = new Set(['S7', 'S8']);

function textOf({ segments }: Benefit): string {
  return segments.map(({ text }) => text).join('\n');
}

/** How an answer treats the codes of its inquiry. */
export interface CodesAnswered {
  /** The asked codes that it speaks of. */
  readonly answered: readonly Procedure[];
  /** The asked codes that it refuses, all of them or one by one. */
  readonly refused: readonly Procedure[];
}

/**
 * Reads which codes of its inquiry an answer speaks of, and which it refuses (AAA 15, 33, 52 to 55). Null where the payer did
 * not answer for the patient: that shows nothing of the codes that it takes.
 */
export function readCodesAnswered(asked: Asked, context: AnswerContext): CodesAnswered | null {
  const later = readLater(asked, [], context);
  const { procedures } = asked;
  if (later.kind === 'refused')
    return later.codes.some((code) => REFUSALS.has(code)) ? { answered: [], refused: procedures } : null;
  if (later.kind !== 'answered') return null;
  const rows = later.rows.map(({ row }) => row);
  const isRejecting = ({ rejections }: Benefit) => rejections.length > 0;
  const answered = namedIn(
    rows.filter((row) => !isRejecting(row)),
    procedures,
    context,
  );
  const refused = namedIn(rows.filter(isRejecting), procedures, context);
  return { answered, refused: refused.filter((one) => !answered.includes(one)) };
}

/** The codes of a request that an answer does not speak of, asked or not. */
export function unansweredCodes(answer: ReadAnswer, context: AnswerContext): readonly AskedProcedure[] {
  const asked = askedProcedures(context.request);
  if (asked.length === 0) return asked;
  const later = readLater({ answer, failure: null, procedures: [] }, [], context);
  if (later.kind !== 'answered') return asked;
  const named = new Set(
    namedIn(
      later.rows.map(({ row }) => row),
      asked,
      context,
    ).map(keyOfProcedure),
  );
  return asked.filter((one) => !named.has(keyOfProcedure(one)));
}

/** The codes that any of the rows is about. */
function namedIn(
  rows: readonly Benefit[],
  procedures: readonly Procedure[],
  { serviceDate }: AnswerContext,
): Procedure[] {
  const naming = rows.filter((row) => row.procedures.length > 0);
  if (naming.length === 0) return [];
  const reading = new BenefitReading(
    naming.map((row, place) => readBenefitRow(row, { row: place, loop: 'patient', segments: [] })),
    { plans: [null], entry: 0, status: 'Active', relationship: null, serviceDate },
  );
  return procedures.filter((one) => reading.coverOfProcedure(one).kind !== 'not_said' || reading.names(one));
}
