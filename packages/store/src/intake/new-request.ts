import type { RequestInfo } from '@insurance-verification/schema';
import type { Caller } from '../access/caller.ts';

export interface NewRequest {
  readonly caller: Caller;
  readonly payerId: string;
  readonly input: RequestInfo;
  /** The caller's `Idempotency-Key`; null when it sent none. */
  readonly idempotencyKey: string | null;
}
