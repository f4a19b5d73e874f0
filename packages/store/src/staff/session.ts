import type { StaffRole } from '@insurance-verification/schema';

/** A session's public facts. */
export interface Session {
  readonly sessionId: string;
  /** The person's name. */
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** When it ends without further use. */
  readonly idleEndsAt: Date;
  /** When it ends regardless of use. */
  readonly endsAt: Date;
}
