import type { StaffRole } from '@insurance-verification/schema';
import type { Generated } from 'kysely';
import type { Instant } from '../instant.ts';

export interface StaffTables {
  staff: StaffTable;
  sign_in_link: SignInLinkTable;
  staff_session: StaffSessionTable;
}

interface StaffTable {
  id: string;
  /** As a JSON string, like an account's. */
  name: string;
  /** Null for the platform's. */
  account_id: string | null;
  roles: StaffRole[];
  created_at: Generated<Date>;
  /** When the person's access ended; null while it lasts. */
  ended_at: Instant | null;
}

interface SignInLinkTable {
  /** HMAC of the link's token. */
  hash: Buffer;
  staff_id: string;
  expires_at: Instant;
}

interface StaffSessionTable {
  id: string;
  staff_id: string;
  /** HMAC of the cookie's token. */
  hash: Buffer;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  expires_at: Instant;
  /** Set when it was ended early; null otherwise. */
  ended_at: Instant | null;
  /** Until when a phone call keeps it without use; null without one. */
  on_call_until: Instant | null;
}
