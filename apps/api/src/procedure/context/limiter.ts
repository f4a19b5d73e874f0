import type { LiveKey } from '@insurance-verification/store';
import type { Call } from './call.ts';
import type { Meta } from './meta.ts';

/** Counts calls by the policies that their procedures declare. */
export interface Limiter {
  /**
   * Counts a call before its input is read. At once where it can be told at once: then it returns undefined.
   * @throws {ProblemError} `rate_limited`
   */
  admit(meta: Meta, call: Call, caller: LiveKey | null): Promise<void> | undefined;
  /** Counts what the answer cost beyond the one unit of its call. */
  settle(meta: Meta, caller: LiveKey | null, answer: unknown): void;
  /** Counts a try to sign in, or a link made for one, by the client's address. @throws {ProblemError} `rate_limited` */
  countSignIn(policy: 'sign-in' | 'sign-in-links', call: Call): Promise<void>;
  /** Counts a wrong key. @throws {ProblemError} `rate_limited` */
  countWrongKey(call: Call): Promise<void>;
}
