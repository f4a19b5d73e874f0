import type * as z from 'zod';
import { enumeration } from '../model.ts';

/** Who must act on an error reason: the party with the patient's data, the provider, the payer, or this service. */
export const FixedBy = enumeration('FixedBy', 'Who has to act on an error reason.', [
  'patient_data',
  'provider',
  'payer',
  'us',
]);
export type FixedBy = z.infer<typeof FixedBy>;
