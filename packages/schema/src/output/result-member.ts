import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * A member of a result that a correction may change: its own, and those of a coverage by their names, where `plan_info`
 * and `patient_info` are left out of the path.
 */
export const ResultMember = enumeration(
  'ResultMember',
  'A member of a result: its own, and those of a coverage by their names.',
  [
    'state',
    'error_reason',
    'subscriber_id',
    'dob',
    'name',
    'address',
    'payer_name',
    'eligibility_status',
    'plan_name',
    'start_date',
    'end_date',
    'cpt_code_coverage',
    'notes',
    'verification_source',
    'request_id',
    'person_uuid',
  ],
);
export type ResultMember = z.infer<typeof ResultMember>;
