import type { ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import type { HeldCapacity } from './hold-output.ts';

export interface SubmittedOutput {
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** Null for a caller without a key of scope `verify`. */
  readonly caller: Caller | null;
  readonly trusted: boolean;
  readonly heldCapacity?: HeldCapacity;
}

export type AcceptedOutput =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  | { readonly kind: 'progress' }
  | {
      readonly kind: 'held';
      readonly reason: 'untrusted' | 'unmatched' | 'input_mismatch' | 'superseding';
      readonly heldId: string;
    };

/** What the access log calls it. */
export const SUBMIT_OPERATION = 'verificationOutput.submit';
