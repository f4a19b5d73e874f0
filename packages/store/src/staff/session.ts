import type { StaffRole } from '@insurance-verification/schema';

/** What a session says of itself. */
export interface Session {
  readonly sessionId: string;
  /** The person's name. */
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** When it ends unless it is used again. */
  readonly idleEndsAt: Date;
  /** When it ends however much it is used. */
  readonly endsAt: Date;
}
