import type { RequestInfo } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod, UnreadDate } from '../../parts/parts.ts';
import { isSamePlain, plainText, serviceTypeNames } from '../codes.ts';
import { WHOLE_PLAN } from '../eb-codes.ts';
import { nameText } from '../patient-of.ts';
import type { PlacedMember } from '../placed-member.ts';
import type { AnswerContext } from '../read-finding.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';

/** NM103 of loop 2100A where it is a configured name; else the payer that was asked. */
export function payerNameOf(
  { payer }: PlacedMember,
  { payerNames, request }: AnswerContext,
): RequestInfo['payer_info']['name'] {
  const called = plainText(payer.party?.name?.last ?? '');
  return payerNames.find((name) => plainText(name) === called) ?? request.payer_info.name;
}

/** The payer's own name, if it is another one. */
export function payerNotes({ payer }: PlacedMember, payerName: string): string[] {
  const called = payer.party?.name;
  if (!called || isSamePlain(nameText(called), payerName)) return [];
  return [`The payer calls itself ${nameText(called)}.`];
}

/** The payer's messages, each after its service or code; a message that is also about the plan appears once. */
export function messagesOf(rows: readonly Benefit[]): string[] {
  const said: { readonly message: string; readonly subject: string | null }[] = [];
  for (const row of rows) {
    if (row.messages.length === 0) continue;
    const subject = subjectOf(row);
    for (const message of row.messages) said.push({ message, subject });
  }
  const ofPlan = new Set<string>();
  for (const { message, subject } of said) if (subject === null) ofPlan.add(message);
  const texts: string[] = [];
  for (const { message, subject } of said)
    if (subject === null) texts.push(message);
    else if (!ofPlan.has(message)) texts.push(`${subject}: ${message}`);
  return texts;
}

const CODE_COUNT_MAX = 20;

/** Null for the plan. */
function subjectOf({ serviceTypes, procedures }: Benefit): string | null {
  if (procedures.length > 0)
    return procedures
      .slice(0, CODE_COUNT_MAX)
      .map((one) => procedureText(one))
      .join(', ');
  return serviceTypes.length === 0 || serviceTypes.includes(WHOLE_PLAN)
    ? null
    : serviceTypeNames(serviceTypes);
}

/** DTPs that end nothing, or not by themselves, in words and in this order. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['442', 'The payer says that the patient died on'],
  ['343', 'Premium paid to'],
  ['340', 'COBRA since'],
  ['341', 'COBRA to'],
  ['292', 'Benefit year'],
]);
const RANKS = [...WORDS.keys()];

/** More than any payer sends. */
const DATE_COUNT_MAX = 20;

/** What the dates of a member and of a coverage's rows say with its begin and end. */
export function dateNotes(...lists: readonly (readonly DatedPeriod[])[]): string[] {
  const said: DatedPeriod[] = [];
  let before: DatedPeriod | undefined;
  for (const dates of lists)
    for (const date of dates) {
      if (!WORDS.has(date.qualifier)) continue;
      // Payers repeat the benefit year after each row.
      if (!before || !isSameDate(before, date)) said.push(date);
      before = date;
    }
  if (said.length === 0) return [];
  const sentences = said
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((date) => `${WORDS.get(date.qualifier)} ${daysText(date)}.`);
  return [...new Set(sentences)].slice(0, DATE_COUNT_MAX);
}

function isSameDate(one: DatedPeriod, other: DatedPeriod): boolean {
  return one.qualifier === other.qualifier && one.start === other.start && one.end === other.end;
}

function rankOf({ qualifier }: DatedPeriod): number {
  return RANKS.indexOf(qualifier);
}

/** `2026-01-01`, `2026-01-01 to 2026-12-31`. */
export function daysText({
  start,
  end,
}: {
  readonly start: string | null;
  readonly end: string | null;
}): string {
  if (end === null) return start ?? 'not known';
  return start === null ? `to ${end}` : `${start} to ${end}`;
}

/** DTP01 in words, of dates that a status depends on. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    290: 'Coordination of benefits',
    291: 'Plan',
    292: 'Benefit year',
    307: 'Eligibility',
    341: 'COBRA end',
    343: 'Premium paid to',
    346: 'Plan begin',
    347: 'Plan end',
    348: 'Benefit begin',
    349: 'Benefit end',
    356: 'Eligibility begin',
    357: 'Eligibility end',
    442: 'Day of death',
    539: 'Policy begin',
    540: 'Policy end',
  } as const),
);

/** Longer than two dates with times. */
const UNREAD_LENGTH_MAX = 35;

/** Dates that are no day of the calendar, each with its service: an end that is passed over would make a coverage open. */
export function unreadNotes(ofMember: readonly UnreadDate[], rows: readonly Benefit[]): string[] {
  const sentences = new Set<string>();
  const note = (dates: readonly UnreadDate[], subject: string | null) => {
    for (const { qualifier, text } of dates) {
      if (sentences.size === DATE_COUNT_MAX) return;
      // What is written in place of a date may be anything: only what looks like one is repeated.
      const shown = text.length <= UNREAD_LENGTH_MAX && /^[\d\s./-]+$/.test(text) ? ` ${text}` : '';
      const sentence = `${KINDS.get(qualifier) ?? 'A date'}${shown} cannot be read.`;
      sentences.add(subject === null ? sentence : `${subject}: ${sentence}`);
    }
  };
  note(ofMember, null);
  for (const row of rows) if (row.unreadDates.length > 0) note(row.unreadDates, subjectOf(row));
  return [...sentences];
}
