import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * A member of a request's input that an output repeats or answers: those of `patient_info` by their own name, the others
 * with the member that they are in.
 */
export const AskedMember = enumeration(
  'AskedMember',
  'A member of what was asked: those of `patient_info` by their own name, the others with the member that they are in.',
  [
    'subscriber_id',
    'dob',
    'name',
    'address',
    'payer_info.name',
    'payer_info.phone_number',
    'provider_info.npi',
    'provider_info.name',
    'provider_info.tin',
    'provider_info.organization_name',
    'cpt_code_coverage',
    'callback_url',
  ],
);
export type AskedMember = z.infer<typeof AskedMember>;
