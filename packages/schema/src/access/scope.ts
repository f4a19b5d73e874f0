import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * What a key may do. `requests` and `secrets` act on the key's own account: its requests, and what its webhooks are
 * signed with. The others act across accounts and exist only on keys of platform accounts: `verify` works on requests,
 * `operate` looks after them, `admin` manages accounts and keys, `audit` reads who did what, and `privacy` is for what
 * is kept and erased.
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
/** {@link Scope} as a type. */
export type Scope = z.infer<typeof Scope>;
