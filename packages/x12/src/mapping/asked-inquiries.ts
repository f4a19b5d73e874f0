import type { Benefit } from '../answer/eligibility-answer.ts';
import type { Procedure } from '../parts/parts.ts';
import { serviceTypeNames } from './codes.ts';
import { type InquiryRow, loopOf, loopOfRows, payerOf, type PlacedMember } from './placed-member.ts';
import type { ReadAnswer } from './read-finding.ts';
import { type AskedProcedure, modifiersKey } from './to-eligibility-inquiry.ts';

/** The inquiries of a request, where there are several, or one that did not ask for all of its codes. */
export interface AskedInquiries {
  /** The inquiry whose answer has the status. */
  readonly first: Pick<AskedInquiry, 'number' | 'procedures'>;
  /** The others. Their rows add codes and services to those of the first; none of them changes a status. */
  readonly others: readonly AskedInquiry[];
  /** Codes that no inquiry asked for, by why. */
  readonly unasked: readonly { readonly why: UnaskedReason; readonly procedures: readonly Procedure[] }[];
}

/** One inquiry and its answer. */
export interface AskedInquiry {
  /** Its place among the inquiries of the request, from 1. */
  readonly number: number;
  /** Its EQ02. */
  readonly procedures: readonly Procedure[];
  /** Its EQ01. */
  readonly serviceTypes: readonly string[];
  /** Null when the payer gave none. */
  readonly answer: ReadAnswer | null;
  /** Why there is no answer: `HTTP 503`, `timeout`; null with one. */
  readonly failure: string | null;
}

/** Why a code was not asked for. */
type UnaskedReason = keyof typeof UNASKED;

/** The sentence of each reason, before the codes. */
const UNASKED = {
  no_active_plan: 'Not asked for, since the payer states no active plan',
  payer_takes_none: 'Not asked for, since the payer does not answer for such codes',
  one_at_a_time: 'Not asked for, since the payer takes one code an inquiry',
  too_late: 'Not asked for, since the payer took too long before',
} as const;

/** What the answer to one of the other inquiries adds. */
export type LaterAnswer =
  /** About the patient. */
  | { readonly kind: 'answered'; readonly placed: PlacedMember; readonly rows: readonly AddedRow[] }
  /** Rejected, by codes such as `AAA 52`. */
  | { readonly kind: 'refused'; readonly codes: readonly string[] }
  /** No answer that can be read, as codes such as `HTTP 503` or `AAA 42` say. */
  | { readonly kind: 'unavailable'; readonly codes: readonly string[] }
  /** About somebody who is not certainly the patient, or about a coverage that is not active. */
  | { readonly kind: 'another_patient' | 'not_active' };

/** A row that is neither about the plan nor in the first answer as well. */
export interface AddedRow {
  readonly row: Benefit;
  /** The row of the first answer that was repeated before it; null for none. */
  readonly after: Benefit | null;
}

/** All inquiries of a request and what the others add. */
export interface JoinedAnswers {
  readonly inquiries: AskedInquiries;
  /** In the order of `inquiries.others`. */
  readonly later: readonly LaterAnswer[];
}

/** Adds the rows of the other answers to the member that the first answer is about. */
export function withLaterRows(
  placed: PlacedMember,
  { inquiries: { first, others }, later }: JoinedAnswers,
): PlacedMember {
  if (others.length === 0 && first.number === 1) return placed;
  const { member } = placed;
  const own: InquiryRow = { inquiry: first.number, loop: loopOfRows(placed) };
  const ofInquiries = new Map(member.benefits.map((row) => [row, own]));
  const benefits = [...member.benefits];
  const loops = new Map(placed.loops);
  const payers = new Map(placed.payers);
  for (const [index, { number }] of others.entries()) {
    const answer = later[index];
    if (answer?.kind !== 'answered') continue;
    const loop = loopOfRows(answer.placed);
    for (const { row, after } of answer.rows) {
      benefits.push(row);
      ofInquiries.set(row, { inquiry: number, loop, after });
      loops.set(row, loopOf(answer.placed, row));
      payers.set(row, payerOf(answer.placed, row));
    }
  }
  return { ...placed, member: { ...member, benefits }, loops, payers, ofInquiries };
}

/** The rejections of single codes and services in later answers. */
export function laterRejections({ later }: JoinedAnswers) {
  return later.flatMap((one) =>
    one.kind === 'answered' ? one.rows.flatMap(({ row }) => row.rejections) : [],
  );
}

/** The payer's codes in later answers that were rejected or not given. */
export function laterCodes({ later }: JoinedAnswers): string[] {
  return later.flatMap((one) => (one.kind === 'refused' || one.kind === 'unavailable' ? one.codes : []));
}

/** The codes that the payer was asked for and answered about the patient: one of them that has no row was passed over. */
export function heardCodes({ inquiries: { first, others }, later }: JoinedAnswers): ReadonlySet<string> {
  const heard = others.flatMap(({ procedures }, index) =>
    later[index]?.kind === 'answered' ? procedures : [],
  );
  return new Set([...first.procedures, ...heard].map(keyOfProcedure));
}

/** Why the other codes have no answer: what was refused, what did not come, what was not asked. Each code once. */
export function unheardNotes(joined: JoinedAnswers, unanswered: readonly AskedProcedure[]): string[] {
  const { inquiries, later } = joined;
  const open = new Map(unanswered.map((one) => [keyOfProcedure(one), one]));
  for (const key of heardCodes(joined)) open.delete(key);
  const taken = (procedures: readonly Procedure[]): string[] =>
    procedures.flatMap((one) => {
      const key = keyOfProcedure(one);
      const found = open.get(key);
      open.delete(key);
      return found?.texts ?? [];
    });
  const notes: string[] = [];
  for (const [index, { procedures, serviceTypes }] of inquiries.others.entries()) {
    const answer = later[index];
    if (answer === undefined || answer.kind === 'answered') continue;
    const services = serviceTypes.length > 0 && procedures.length === 0;
    const about = services ? [serviceTypeNames(serviceTypes, 'service')] : taken(procedures);
    if (about.length > 0) notes.push(sentenceOf(answer, about.join(', ')));
  }
  for (const { why, procedures } of inquiries.unasked) {
    const about = taken(procedures);
    if (about.length > 0) notes.push(`${UNASKED[why]}: ${about.join(', ')}.`);
  }
  return notes;
}

function sentenceOf(answer: Exclude<LaterAnswer, { kind: 'answered' }>, about: string): string {
  switch (answer.kind) {
    case 'refused':
      return `The payer refused to answer for ${about} (${answer.codes.join(', ')}).`;
    case 'unavailable':
      return `The payer could not be asked for ${about} (${answer.codes.join(', ') || 'no answer'}).`;
    case 'another_patient':
      return `The payer answered for ${about} about another patient; that answer does not count.`;
    case 'not_active':
      return `The payer answered for ${about} with a plan that is not active; that answer does not count.`;
  }
}

/** A key to compare codes by, whatever the case and the order of their modifiers. */
export function keyOfProcedure(one: Pick<Procedure, 'code' | 'modifiers'>): string {
  return `${one.code.toUpperCase()}-${modifiersKey(one)}`;
}
