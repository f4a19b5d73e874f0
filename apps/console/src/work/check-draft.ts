import {
  comparePatients,
  type InsurancePlanData,
  type PatientField,
  type PatientInfo,
  type SubmittedCoverage,
} from '@insurance-verification/schema';
import { readDate } from '../look/read-date.ts';
import type { AskedItem, CoverageDraft, Doubts, Draft } from './draft.ts';
import { contradictionsOf, readSheet, rowField } from './sheet.ts';

/** What is wrong with one field: its id in the page, and a sentence. */
export type Faults = Readonly<Record<string, string>>;

type CheckedDraft =
  | {
      readonly kind: 'ready';
      readonly submission: {
        insurance_data: InsurancePlanData[];
        benefits?: SubmittedCoverage[];
        note: string | null;
        reference: string | null;
        representative: string | null;
        provenance: { field: string; source: string; quote: string }[];
        same_patient_confirmed?: true;
      };
    }
  /** The doubts that are not confirmed are asked about. */
  | { readonly kind: 'faults'; readonly faults: Faults; readonly doubts: Doubts };

/** A field of a coverage has one id in the page, in a fault, and in a refusal of the service. */
export const fieldId = (coverage: Pick<CoverageDraft, 'key'>, field: string): string =>
  `${field}-${coverage.key}`;

/** The most characters of a quote that the service takes. */
const QUOTE_LENGTH_MAX = 2_000;

interface Answer {
  readonly item: AskedItem;
  readonly draft: Draft;
  readonly doubts: Doubts;
}

/** Reads a draft as the result to submit, or finds every fault that the service would find. */
export function checkDraft({ item, draft, doubts: before }: Answer, today: Date): CheckedDraft {
  const faults: Record<string, string> = {};
  const benefits: SubmittedCoverage[] = [];
  const entries = draft.coverages.map((coverage, entry) => {
    const report = (field: string, sentence: string) => {
      faults[fieldId(coverage, field)] = sentence;
    };
    if (coverage.eligibility === null) report('eligibility', 'Choose what the payer said.');
    if (coverage.differs && coverage.memberId.trim() === '')
      report('memberId', 'Type the member id that the payer has.');
    const start = dayOf(coverage.start, today, (sentence) => report('start', sentence));
    const end = dayOf(coverage.end, today, (sentence) => report('end', sentence));
    if (start !== null && end !== null && end < start) report('end', 'This is before the start date.');
    const quoteOf = (field: string) => quotesOf(draft, coverage, field);
    const sheet = readSheet(coverage.sheet, { item, today, quoteOf });
    for (const [field, sentence] of Object.entries(sheet.faults)) report(field, sentence);
    for (const { code, rows } of contradictionsOf(coverage, item, today))
      for (const row of rows) report(rowField(row), `${code} is answered Not covered.`);
    const refused = codesWith(coverage, 'not_covered').map(refusedCode);
    if (sheet.answered || refused.length > 0)
      benefits.push({
        entry,
        ...sheet.answered,
        benefits: [...refused, ...(sheet.answered?.benefits ?? [])],
      });
    return entryOf(item, coverage, { start, end });
  });
  const { wrong, doubts } = checkPatients(entries, { item, draft, doubts: before });
  const isSure = Object.values(doubts).every(({ isConfirmed }) => isConfirmed);
  if (!isSure || Object.keys({ ...wrong, ...faults }).length > 0)
    return { kind: 'faults', faults: { ...wrong, ...faults }, doubts };
  return {
    kind: 'ready',
    submission: {
      insurance_data: entries,
      ...(benefits.length > 0 && { benefits }),
      note: draft.note.trim() || null,
      reference: draft.reference.trim() || null,
      representative: draft.representative.trim() || null,
      provenance: provenanceOf(item, draft),
      ...(Object.keys(doubts).length > 0 && { same_patient_confirmed: true as const }),
    },
  };
}

/** The coverages of another patient, and those whose patient is not certain; the service may have asked about more. */
function checkPatients(entries: readonly InsurancePlanData[], { item, draft, doubts: before }: Answer) {
  const wrong: Record<string, string> = {};
  const doubts: Record<string, Doubts[string]> = {};
  const asked = item.request.input.patient_info;
  for (const [index, coverage] of draft.coverages.entries()) {
    const sent = entries[index]?.patient_info ?? asked;
    const checked = comparePatient({ sent, asked, first: entries[0]?.patient_info ?? asked });
    const { [coverage.key]: known } = before;
    if (checked.kind === 'another')
      wrong[fieldId(coverage, checked.fields.includes('dob') ? 'dob' : 'memberId')] = checked.sentence;
    else if (checked.kind === 'cannot_tell')
      doubts[coverage.key] = { sentence: checked.sentence, isConfirmed: known?.isConfirmed ?? false };
    else if (known) doubts[coverage.key] = known;
  }
  return { wrong, doubts };
}

interface ComparedPatients {
  /** Of the coverage, as it would be sent. */
  readonly sent: PatientInfo;
  /** Of the request. */
  readonly asked: PatientInfo;
  /** Of the first coverage, as it would be sent. */
  readonly first: PatientInfo;
}

/** Whether a coverage is about the patient who was asked about, and the sentence for the person where it is not certain. */
type PatientCheck =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'another' | 'cannot_tell';
      readonly fields: readonly PatientField[];
      readonly sentence: string;
    };

/** Decides as the service does, before the result is sent. */
function comparePatient({ sent, asked, first }: ComparedPatients): PatientCheck {
  const compared = comparePatients(sent, asked);
  if (compared.kind !== 'same') {
    const { kind, fields } = compared;
    return { kind, fields, sentence: kind === 'another' ? differs(fields) : isUnclear(fields) };
  }
  if (comparePatients({ dob: first.dob }, { dob: sent.dob }).kind === 'another')
    return {
      kind: 'cannot_tell',
      fields: ['dob'],
      sentence: 'The birth date differs from the first coverage’s.',
    };
  return { kind: 'same' };
}

const NAMES: Readonly<Record<PatientField, string>> = {
  dob: 'birth date',
  name: 'name',
  subscriber_id: 'member id',
};

function differs(fields: readonly PatientField[]): string {
  const verb = fields.length > 1 ? 'differ' : 'differs';
  return `${named(fields)} ${verb} from the request’s: this is another patient.`;
}

function isUnclear(fields: readonly PatientField[]): string {
  const verb = fields.length > 1 ? 'do' : 'does';
  return `${named(fields)} ${verb} not show that this is the request’s patient.`;
}

function named(fields: readonly PatientField[]): string {
  const words = fields.map((field) => `the ${NAMES[field]}`).join(' and ');
  return `T${words.slice(1)}`;
}

function dayOf(text: string, today: Date, report: (sentence: string) => void): string | null {
  const read = readDate(text, today);
  if (read.kind === 'day') return read.day;
  if (read.kind === 'ambiguous') report('This can be two days. Choose the one you mean.');
  if (read.kind === 'unreadable') report('This is no day. Type it as 1/31/2026, 20260131 or today.');
  return null;
}

interface Days {
  readonly start: string | null;
  readonly end: string | null;
}

function entryOf(
  { request, channel }: AskedItem,
  draft: CoverageDraft,
  { start, end }: Days,
): InsurancePlanData {
  const { patient_info: patient, payer_info: payer } = request.input;
  const { dob: _asked, ...withoutDob } = patient;
  const dob = draft.dob.trim();
  return {
    person_uuid: draft.key,
    verification_time: new Date().toISOString(),
    verification_source: channel,
    notes: notesOf(draft),
    patient_info: draft.differs
      ? { ...withoutDob, subscriber_id: draft.memberId.trim(), ...(dob !== '' && { dob }) }
      : patient,
    plan_info: {
      payer_name: payer.name,
      plan_name: draft.plan.trim() || null,
      eligibility_status: draft.eligibility === 'not_answered' ? null : draft.eligibility,
      start_date: start,
      end_date: end,
      cpt_code_coverage: coveredOf(draft),
    },
  };
}

const codesWith = ({ codes }: CoverageDraft, answer: string): string[] =>
  Object.entries(codes).flatMap(([code, given]) => (given === answer ? [code] : []));

/** The codes that are covered; null where the payer spoke of none. */
function coveredOf(draft: CoverageDraft): string[] | null {
  const covered = codesWith(draft, 'covered');
  return covered.length === 0 && codesWith(draft, 'not_covered').length === 0 ? null : covered;
}

/** The benefit of a code that is not covered, which every page of benefits shows first. */
function refusedCode(code: string): SubmittedCoverage['benefits'][number] {
  const system = /^D\d{4}$/i.test(code) ? 'cdt' : 'cpt_hcpcs';
  return { kind: 'not_covered', service: { procedure: { system, code } } };
}

/** A result lists covered codes only: the others come first in the notes that the provider reads. */
function notesOf(draft: CoverageDraft): string | null {
  const refused = codesWith(draft, 'not_covered');
  const lines = [refused.length === 0 ? '' : `Not covered: ${refused.join(', ')}.`, draft.notes.trim()];
  return lines.filter((line) => line !== '').join('\n') || null;
}

/** The words that were tied to a row of the sheet; undefined for none. */
function quotesOf({ evidence }: Draft, { key }: CoverageDraft, field: string): string | undefined {
  const tied = evidence.filter((one) => one.coverage === key && one.field === field);
  if (tied.length === 0) return undefined;
  return tied
    .map(({ quote }) => quote)
    .join('\n')
    .slice(0, QUOTE_LENGTH_MAX);
}

/** Where fields were read: what was tied to them, by a JSON pointer. A quote of the sheet goes with its benefit. */
function provenanceOf({ channel }: AskedItem, { coverages, evidence }: Draft) {
  return evidence.flatMap(({ coverage, field, quote }) => {
    const index = coverages.findIndex(({ key }) => key === coverage);
    return index === -1 || field.startsWith('sheet-')
      ? []
      : [{ field: `/${index}/plan_info/${field}`, source: channel, quote }];
  });
}
