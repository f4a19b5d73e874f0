import type { BenefitReading, CoverageOrder, InsurancePlanData } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import type { Reference } from '../parts/parts.ts';
import { patientOf } from './patient-of.ts';
import type { PlacedMember } from './placed-member.ts';
import type { AnswerContext } from './read-finding.ts';
import { verificationTime } from './verification-time.ts';

/** Notes are for people; no one writes longer ones for them. */
const NOTES_LENGTH_MAX = 10_000;

const CUT = "The payer's messages are longer and were cut here.";

/** An entry, and the rows that it was read from. */
export interface ReadEntry {
  readonly data: InsurancePlanData;
  readonly rows: readonly Benefit[];
  /** Of a coverage; null for another payer. */
  readonly reading: BenefitReading | null;
  /** Whether the dates of the loop around (2100) decide with those of the rows. */
  readonly isByLoop: boolean;
  /** REFs that may have its group number. */
  readonly numbers: readonly Reference[];
  /** Of another payer, by its role (NM101); null for a coverage, and where it has none or several. */
  readonly orderByRole: CoverageOrder | null;
}

/** The notes of an entry: our sentences, then the payer's messages. */
export interface EntryNotes {
  readonly notes: readonly string[];
  readonly messages: readonly string[];
}

/** What all entries of an answer share. */
export type EntryHead = Pick<
  InsurancePlanData,
  'person_uuid' | 'request_id' | 'verification_time' | 'patient_info'
>;

export function entryHead(placed: PlacedMember, context: AnswerContext): EntryHead {
  return {
    person_uuid: context.personUuid,
    request_id: context.requestId,
    verification_time: verificationTime(placed.answer, context),
    patient_info: patientOf(placed, context.request),
  };
}

/** One entry about a member. */
export function insuranceEntry(
  head: EntryHead,
  entryNotes: EntryNotes,
  plan: InsurancePlanData['plan_info'],
): InsurancePlanData {
  const { start_date: start, end_date: end } = plan;
  if (start && end && end < start) throw new Error('A coverage ends after it begins');
  const text = notesText(entryNotes);
  return {
    uuid: null,
    person_uuid: head.person_uuid,
    request_id: head.request_id,
    verification_time: head.verification_time,
    verification_source: 'api',
    notes: text === '' ? null : text,
    patient_info: head.patient_info,
    plan_info: plan,
  };
}

/**
 * One note a line, repeated ones once. If it is too long, messages are left out from the end, and a note says so. Our own
 * sentences are left out last, whole, and counted.
 */
function notesText({ notes, messages }: EntryNotes): string {
  if (notes.length + messages.length === 0) return '';
  const lines = new Set(notes);
  const ownMax = NOTES_LENGTH_MAX - CUT.length - 1;
  const own = ownText([...lines], ownMax);
  const texts = own === '' ? [] : [own];
  let length = own.length;
  // How many stay where the others are cut.
  let keptCount = texts.length;
  for (const message of messages) {
    if (lines.has(message)) continue;
    length += message.length + (texts.length > 0 ? 1 : 0);
    if (length > NOTES_LENGTH_MAX) return [...texts.slice(0, keptCount), CUT].join('\n');
    lines.add(message);
    texts.push(message);
    if (length <= ownMax) keptCount = texts.length;
  }
  return texts.join('\n');
}

/** Room for the sentence that counts the others. */
const COUNT_LENGTH_MAX = 60;

function ownText(lines: readonly string[], lengthMax: number): string {
  const whole = lines.join('\n');
  if (whole.length <= lengthMax) return whole;
  const kept: string[] = [];
  let room = lengthMax - COUNT_LENGTH_MAX;
  for (const line of lines) {
    if (line.length + 1 > room) continue;
    kept.push(line);
    room -= line.length + 1;
  }
  return [...kept, `Sentences for which there was no room here: ${lines.length - kept.length}.`].join('\n');
}
