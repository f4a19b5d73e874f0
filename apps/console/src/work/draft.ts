import type { EligibilityStatus, ValidationError } from '@insurance-verification/schema';
import * as z from 'zod';
import type { Outputs } from '../api/api.ts';
import { firstSheet, NO_SHEET, type RowField, type SheetDraft } from './sheet.ts';

export type WorkItem = Outputs['work']['claim']['items'][number];

/** The parts of a work item that the form of an answer needs: a finished request has no lease. */
export type AskedItem = Pick<WorkItem, 'request' | 'channel' | 'payer'>;

export type CodeAnswer = 'covered' | 'not_covered' | 'not_answered';

/** One coverage as far as it is typed. Texts are as typed; they are read when the result is submitted. */
export interface CoverageDraft {
  /** Distinguishes the coverages of a draft, for as long as it lives. */
  readonly key: string;
  /** Null: not chosen yet. */
  readonly eligibility: EligibilityStatus | 'not_answered' | null;
  readonly plan: string;
  readonly start: string;
  readonly end: string;
  readonly codes: Readonly<Record<string, CodeAnswer>>;
  readonly notes: string;
  /** Whether the payer has the patient under another member id or date of birth than was asked. */
  readonly differs: boolean;
  readonly memberId: string;
  readonly dob: string;
  /** The other benefits that the payer named. */
  readonly sheet: SheetDraft;
}

/** Words of a payer's text that say where a field was read. */
interface Evidence {
  readonly key: string;
  readonly coverage: string;
  readonly field: EvidenceField | RowField;
  readonly quote: string;
}

export type EvidenceField =
  | 'eligibility_status'
  | 'plan_name'
  | 'start_date'
  | 'end_date'
  | 'cpt_code_coverage';

/** The text that a verifier has typed about one request. */
export interface Draft {
  readonly coverages: readonly CoverageDraft[];
  readonly note: string;
  readonly reference: string;
  /** The name of the person at the payer. */
  readonly representative: string;
  /** The payer's text as it was pasted. It stays in this tab; what is tied to a field goes along. */
  readonly pasted: string;
  readonly evidence: readonly Evidence[];
}

export function emptyCoverage(item: AskedItem): CoverageDraft {
  const { patient_info: patient, cpt_code_coverage: codes } = item.request.input;
  return {
    key: crypto.randomUUID(),
    eligibility: null,
    plan: '',
    start: '',
    end: '',
    codes: Object.fromEntries((codes ?? []).map((code) => [code, 'not_answered'])),
    notes: '',
    differs: false,
    memberId: patient.subscriber_id,
    dob: patient.dob ?? '',
    sheet: firstSheet(item),
  };
}

export const emptyDraft = (item: AskedItem): Draft => ({
  coverages: [emptyCoverage(item)],
  note: '',
  reference: '',
  representative: '',
  pasted: '',
  evidence: [],
});

const FORM = 1;

const text = z.string();

/** A draft as it is saved. A colleague's tab wrote it, perhaps one of another version. */
const DraftText = z.object({
  form: z.literal(FORM),
  coverages: z
    .array(
      z.object({
        key: text,
        eligibility: z.enum(['Active', 'Inactive', 'not_answered']).nullable(),
        plan: text,
        start: text,
        end: text,
        codes: z.record(text, z.enum(['covered', 'not_covered', 'not_answered'])),
        notes: text,
        differs: z.boolean(),
        memberId: text,
        dob: text,
        // A tab of an earlier version has saved none.
        sheet: z
          .object({ name: z.enum(['none', 'dental', 'medical', 'payer']), answers: z.record(text, text) })
          .default(NO_SHEET),
      }),
    )
    .min(1),
  note: text,
  reference: text,
  // A tab of an earlier version has saved none.
  representative: text.default(''),
  pasted: text,
  evidence: z.array(
    z.object({
      key: text,
      coverage: text,
      field: z.union([
        z.enum(['eligibility_status', 'plan_name', 'start_date', 'end_date', 'cpt_code_coverage']),
        z.templateLiteral(['sheet-', z.string()]),
      ]),
      quote: text,
    }),
  ),
});

/** The text that is saved of a draft. */
export const textOf = (draft: Draft): string => JSON.stringify({ form: FORM, ...draft });

/** The draft that a saved text holds. One of another form becomes the pasted text, so that it is not lost. */
export function draftOf(content: string, item: WorkItem): Draft {
  const read = DraftText.safeParse(jsonOf(content));
  if (!read.success) return { ...emptyDraft(item), pasted: content };
  const { form: _form, ...draft } = read.data;
  return draft;
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a draft holds anything that a person typed or chose. */
export function isTyped(draft: Draft, item: WorkItem): boolean {
  const keyless = ({ coverages, ...rest }: Draft) =>
    JSON.stringify([rest, coverages.map(({ key: _key, ...coverage }) => coverage)]);
  return keyless(draft) !== keyless(emptyDraft(item));
}

/** The main part of a draft in a few words: `Active, DPPO`. */
export function summaryOf({ coverages, pasted }: Draft): string {
  const parts = coverages.map(({ eligibility, plan }) =>
    [eligibility === 'not_answered' ? 'Not answered' : eligibility, plan.trim()].filter(Boolean).join(', '),
  );
  return (
    parts.filter(Boolean).join('; ') ||
    (pasted.trim() === '' ? 'a part of the answer' : 'a text of the payer')
  );
}

/** A doubt whether a coverage is about the request's patient, which the person is asked to confirm. */
export interface Doubt {
  /** The reason, which names the field. */
  readonly sentence: string;
  /** Whether the person has confirmed it. */
  readonly isConfirmed: boolean;
}

/** The doubts by the coverage's key. They are not saved with the draft: the next person has confirmed nothing. */
export type Doubts = Readonly<Record<string, Doubt>>;

/**
 * The doubts that remain after a change of the draft; none once a coverage, its member id, its date of birth or
 * `differs` has changed.
 */
export function doubtsAfter(
  { draft: before, doubts }: { readonly draft: Draft; readonly doubts: Doubts },
  draft: Draft,
): Doubts {
  const isSame = before.coverages.every((coverage, index) => {
    const after = draft.coverages[index];
    return (
      coverage.key === after?.key &&
      coverage.differs === after.differs &&
      coverage.memberId === after.memberId &&
      coverage.dob === after.dob
    );
  });
  return isSame ? doubts : {};
}

/** The doubts that the service asks to confirm; null where it refused for another reason. */
export function doubtsOf(faults: readonly ValidationError[], { coverages }: Draft): Doubts | null {
  const doubts = faults.map(({ type, loc: [, , index] }) => {
    const key = type === 'patient_unconfirmed' ? coverages[Number(index)]?.key : undefined;
    return key === undefined ? null : ([key, { sentence: ASKED, isConfirmed: false }] as const);
  });
  const known = doubts.filter((doubt) => doubt !== null);
  return known.length === 0 || known.length < doubts.length ? null : Object.fromEntries(known);
}

const ASKED = 'What the payer holds does not show that this is the request’s patient.';
