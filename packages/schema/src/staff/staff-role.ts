import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * What a person does. `viewer` reads the requests of one account and `requester` makes them too. The others act across
 * accounts: `verifier` works on requests and sees those alone that it leases or worked on within a day, `operator` looks
 * after requests, outputs and deliveries, `admin` after accounts, keys and people, `auditor` reads who did what, and
 * `privacy` is for what is kept and erased.
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
/** {@link StaffRole} as a type. */
export type StaffRole = z.infer<typeof StaffRole>;
