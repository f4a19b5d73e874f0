import type * as z from 'zod';
import { enumeration } from './model.ts';

/**
 * A person's job. `viewer` reads the requests of one account, and `requester` also creates them. The others act across
 * accounts: `verifier` works on requests and sees only those that it leases or worked on within a day, `operator` looks
 * after requests, outputs and deliveries, `admin` after accounts, keys and people, `auditor` reads who did what, and
 * `privacy` covers retention and erasure.
 */
export const StaffRole = enumeration('StaffRole', 'What a person does.', [
  'viewer',
  'requester',
  'verifier',
  'operator',
  'admin',
  'auditor',
  'privacy',
]);
export type StaffRole = z.infer<typeof StaffRole>;
