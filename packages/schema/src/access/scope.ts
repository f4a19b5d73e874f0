import type * as z from 'zod';
import { enumeration } from '../model.ts';

/**
 * What a key may do (design.md, "Accounts, keys, access"). `requests` acts on the key's own account; `verify` and
 * `operate` act across accounts and exist only on keys of platform accounts.
 */
export const Scope = enumeration('Scope', 'What a key may do.', ['requests', 'verify', 'operate']);
/** {@link Scope} as a type. */
export type Scope = z.infer<typeof Scope>;
