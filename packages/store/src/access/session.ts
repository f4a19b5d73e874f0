import type { StaffRole } from '@insurance-verification/schema';

/** A session's public facts. */
export interface Session {
  readonly sessionId: string;
  /** The person's name. */
  readonly name: string;
  readonly roles: readonly StaffRole[];
  /** The name of the account that the person acts for. */
  readonly accountName: string;
  /** The person is of the platform, and may act for every account. */
  readonly maySwitch: boolean;
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
