import type { EligibilityStatus } from '@insurance-verification/schema';
import type { Outputs } from '../../api/api.ts';
import { firstSheet, type RowField, type SheetDraft } from '../sheet/sheet.ts';

export type WorkItem = Outputs['work']['claim']['items'][number];

export type CodeAnswer = 'covered' | 'not_covered' | 'not_answered';

/** One coverage as far as it is typed. Texts are as typed; they are read when they are handed in. */
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
  /** What else the payer said of it. */
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

/** What a verifier has typed about one request. */
export interface Draft {
  readonly coverages: readonly CoverageDraft[];
  readonly note: string;
  readonly reference: string;
  /** The payer's text as it was pasted. It stays in this tab; what is tied to a field goes along. */
  readonly pasted: string;
  readonly evidence: readonly Evidence[];
}

export function emptyCoverage(item: WorkItem): CoverageDraft {
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

export const emptyDraft = (item: WorkItem): Draft => ({
  coverages: [emptyCoverage(item)],
  note: '',
  reference: '',
  pasted: '',
  evidence: [],
});
