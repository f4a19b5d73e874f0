import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * What a key may do. `requests` and `secrets` apply to the key's own account: its requests, and its webhook secrets.
 * The others apply across accounts and exist only on keys of platform accounts: `verify` works on requests, `operate`
 * looks after them, `admin` manages accounts and keys, `audit` reads who did what, and `privacy` covers retention and
 * erasure.
 */
export const Scope = enumeration('Scope', 'What a key may do.', [
  'requests',
  'secrets',
  'verify',
  'operate',
  'admin',
  'audit',
  'privacy',
]);
export type Scope = z.infer<typeof Scope>;
