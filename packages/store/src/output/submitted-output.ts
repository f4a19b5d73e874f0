import type { HeldReason, ResponseModel } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';
import type { HeldCapacity, NoRoom } from './held/held-capacity.ts';

export interface SubmittedOutput {
  readonly output: ResponseModel;
  /** The stable id of the payer that the output names. */
  readonly payerId: string;
  /** Null for a caller without a key of scope `verify`. Requests beyond its reach count as unknown. */
  readonly caller: Caller | null;
  /** The owner of a key that is not a verifier's: recorded, but not trusted. */
  readonly bearer?: Caller | null;
  /** An anonymous sender's IPv4 address, or the /64 of its IPv6 one. Null for a verifier's key. */
  readonly client: string | null;
  readonly trusted: boolean;
  /** The payer's route has a person look at what an agent found. */
  readonly holdsAgentResults: boolean;
  readonly heldCapacity?: HeldCapacity;
}

export type AcceptedOutput =
  | { readonly kind: 'applied'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  | { readonly kind: 'progress' }
  /** It names a request that was erased: nothing was stored. */
  | { readonly kind: 'erased' }
  | NoRoom
  | {
      readonly kind: 'held';
      readonly reason: HeldReason;
      readonly heldId: string;
      /** Anonymous outputs still waiting that were removed to make room. */
      readonly displacedCount: number;
    };

/** The operation's name in the access log. */
export const SUBMIT_OPERATION = 'verificationOutput.submit' as const;
