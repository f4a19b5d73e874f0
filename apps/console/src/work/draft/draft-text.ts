import * as z from 'zod';
import { NO_SHEET } from '../sheet/sheet.ts';
import { type Draft, emptyDraft, type WorkItem } from './draft.ts';

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

/** The draft that a saved text holds. One of another form is put where the portal's text stands, so that it is not lost. */
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
