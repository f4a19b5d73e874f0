import type { LiveKey } from '@insurance-verification/store';
import type { Call } from '../call/call.ts';
import type { Meta } from '../meta.ts';

/** Counts calls by the policies that their procedures declare. */
export interface Limiter {
  /**
   * Counts a call before its input is read. Returns undefined when it decides at once.
   * @throws {ProblemError} `rate_limited`
   */
  admit(meta: Meta, call: Call, caller: LiveKey | null): Promise<void> | undefined;
  /** Charges what the answer cost beyond the call's first unit. */
  settle(meta: Meta, caller: LiveKey | null, answer: unknown): void;
  /**
   * Counts a sign-in attempt, or a link made for one, by the client's address. @throws {ProblemError} `rate_limited`
   */
  countSignIn(policy: 'sign-in' | 'sign-in-links', call: Call): Promise<void>;
  /** Counts a wrong key. @throws {ProblemError} `rate_limited` */
  countWrongKey(call: Call): Promise<void>;
}
