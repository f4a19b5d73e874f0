import type * as z from 'zod';
import { enumeration } from '../model.ts';

/** Whether a plan covers the patient. Where it is nullable, null means that the payer did not say. */
export const EligibilityStatus = enumeration('EligibilityStatus', 'Whether the plan covers the patient.', [
  'Active',
  'Inactive',
]);
export type EligibilityStatus = z.infer<typeof EligibilityStatus>;
