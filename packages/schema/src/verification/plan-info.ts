import * as z from 'zod';
import { date } from '../field/date/date.ts';
import { list } from '../field/list.ts';
import type { createPayer } from '../intake/info/payer.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { EligibilityStatus } from './eligibility-status.ts';

/** One insurance plan as the payer described it. No field is required. */
export function createPlanInfo<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('PlanInfo', 'One insurance plan as the payer described it.', {
    payer_name: payer.optional().meta({ description: 'The payer plan that answered. Not null.' }),
    plan_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Name of the plan; null if not reported.' }),
    eligibility_status: EligibilityStatus.nullable().optional().meta({
      description: 'Whether the plan covers the patient; null when the payer did not say.',
    }),
    start_date: date()
      .nullable()
      .optional()
      .meta({ description: 'First day of coverage; null if not reported.' }),
    end_date: date()
      .nullable()
      .optional()
      .meta({ description: 'Last day of coverage; null if open or not reported.' }),
    cpt_code_coverage: list(z.string()).nullable().optional().meta({
      description: 'The procedure codes positively covered; a code the payer did not answer for is left out.',
    }),
  });
}
