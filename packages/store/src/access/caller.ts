import type { StaffRole, VerifyWithin } from '@insurance-verification/schema';

/** The identity of a caller and its reach (see `within`); recorded in `access_log` with every operation. */
export interface Caller {
  /** Its key's id, `key_…`; for a signed-in person, the person's id, `stf_…`. */
  readonly keyId: string;
  readonly accountId: string;
  /** Its account's mode. A test account's caller never reaches live data, whatever its scopes. */
  readonly mode: 'live' | 'test';
  /** Acts on every account that its mode reaches; if absent, only on its own. */
  readonly acrossAccounts?: boolean;
  /** The test accounts, for a caller of one of them; absent for the service itself, which goes by `account.mode`. */
  readonly testAccountIds?: readonly string[];
  /** Keeps a reading of many accounts to those of this mode; absent: of either, as far as its reach goes. */
  readonly onlyMode?: 'live' | 'test' | undefined;
  /**
   * Adds requests of any account that it leases or worked on within a day: in addition to its other reach, or instead of it.
   */
  readonly ownWork?: 'besides' | 'alone';
  /** Limits on its verification work; absent if unlimited. */
  readonly verifyWithin?: VerifyWithin;
  /** Whose link began the person's session, where another person made it; otherwise absent. See `two-people.ts`. */
  readonly linkBy?: readonly string[];
  /** By whose link the person got the passkey or identity that began it; absent without one. */
  readonly enrolledBy?: readonly string[];
  /** Further fields of its lines in `access_log`; absent for the service's own workers. */
  readonly by?: Actor;
  /**
   * A digest of what a person's session asked for, and as whom: the same again within 15 minutes is the same look
   * (see `recordAccess`). Absent for keys, for changes, and where each call counts.
   */
  readonly look?: Buffer;
}

/** Who acts, and from where, as it was then: it stays in the line when a name or a session is another. */
export interface Actor {
  /** The person's or the key's name; null without one. */
  readonly name: string | null;
  /** The person's session; null for a key. */
  readonly sessionId: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
  /** Whether the session has emergency access. */
  readonly isEmergency: boolean;
}

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
