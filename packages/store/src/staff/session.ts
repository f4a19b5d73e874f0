import type { StaffRole } from '@insurance-verification/schema';

/** A session's public facts. */
export interface Session {
  readonly sessionId: string;
  /** The person's name. */
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** Until when it counts as fresh; null when it is unknown when the person proved who they are. */
  readonly freshUntil: Date | null;
  readonly isFresh: boolean;
  /** Until when it has emergency access; null without it. */
  readonly emergencyUntil: Date | null;
  /** When it ends without further use. */
  readonly idleEndsAt: Date;
  /** When it ends regardless of use. */
  readonly endsAt: Date;
}
