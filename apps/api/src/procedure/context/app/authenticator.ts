import type { LiveKey } from '@insurance-verification/store';

/** Looks up keys by their text. */
export interface Authenticator {
  /** The live key; null for a missing, unknown, revoked or expired one. */
  authenticate(text: string | undefined): Promise<LiveKey | null>;
  /** Clears the cached answers, so that a revocation by this process applies at once. */
  forget(): void;
}
