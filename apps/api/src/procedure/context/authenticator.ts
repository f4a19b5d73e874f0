import type { LiveKey } from '@insurance-verification/store';

/** Tells whose a key's text is. */
export interface Authenticator {
  /** The live key; null for a missing, unknown, revoked or expired one. */
  authenticate(text: string | undefined): Promise<LiveKey | null>;
  /** Forgets every answer, so that a revocation by this process holds at once. */
  forget(): void;
}
