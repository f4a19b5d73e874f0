import * as z from 'zod';
import { cidr } from '../field/cidr.ts';
import { list } from '../field/list.ts';
import { enumeration, model } from '../model.ts';
import { VerificationSource } from '../verification/insurance-plan-data.ts';

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

/** Maximum number of networks: each is compared with the address of every call. */
const COUNT_MAX = 100;

/** The networks that calls may come from: at least one, since an empty list would lock everyone out. */
export function allowedCidrs() {
  return list(cidr()).min(1).max(COUNT_MAX);
}

const id = () =>
  z
    .string()
    .max(200)
    .refine((text) => /^[\w-]+$/.test(text), 'Input should be an id: letters, digits, _ and -');

const ids = () => list(id()).min(1).max(50);

/** The limits of a verifier's work. */
export const VerifyWithin = model(
  'VerifyWithin',
  'What a verifier is kept to: requests that meet each of the lists.',
  {
    payer_ids: ids().nullable().optional().meta({
      description: 'The ids of the only payers, 1 to 50; null or absent: every payer.',
    }),
    channels: list(VerificationSource).min(1).nullable().optional().meta({
      description: 'The only channels to work in; null or absent: every channel.',
    }),
    account_ids: ids().nullable().optional().meta({
      description: 'The only accounts whose requests to work on, 1 to 50; null or absent: every account.',
    }),
  },
);
export type VerifyWithin = z.infer<typeof VerifyWithin>;
