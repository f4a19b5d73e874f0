import * as z from 'zod';
import { model } from '../../model.ts';

/** The source of one field of a result, which lets a reader distinguish the payer's statements from inferences. */
export const FieldProvenance = model('FieldProvenance', 'Where one field of a result was read.', {
  field: z.string().min(1).meta({
    description:
      'JSON pointer into insurance_data, for example /0/plan_info/eligibility_status; of a benefit that was submitted with a quote /0/benefits/b3, its benefit_id.',
  }),
  source: z
    .string()
    .min(1)
    .meta({ description: 'Where it was read: a page, a menu, a person, a segment; free text.' }),
  quote: z.string().nullable().optional().meta({ description: 'The words it was read from, verbatim.' }),
});
export type FieldProvenance = z.infer<typeof FieldProvenance>;
