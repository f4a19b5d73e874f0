import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import type { HeldCapacity, NoRoom } from './held/held-capacity.ts';

export interface SubmittedOutput {
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** Null for a caller without a key of scope `verify`. What is beyond its reach is as unknown. */
  readonly caller: Caller | null;
  /** Whose key it came with, where that is no verifier's: it is on record, and trusted with nothing. */
  readonly bearer?: Caller | null;
  /** Where an anonymous sender asks from: an IPv4 address, or the /64 of an IPv6 one. Null for a verifier's key. */
  readonly client: string | null;
  readonly trusted: boolean;
  readonly heldCapacity?: HeldCapacity;
}

export type AcceptedOutput =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  | { readonly kind: 'progress' }
  | NoRoom
  | {
      readonly kind: 'held';
      readonly reason: 'untrusted' | 'unmatched' | 'input_mismatch' | 'superseding';
      readonly heldId: string;
      /** Strangers' outputs that still waited and were removed to make room for it. */
      readonly displacedCount: number;
    };

/** What the access log calls it. */
export const SUBMIT_OPERATION = 'verificationOutput.submit' as const;
