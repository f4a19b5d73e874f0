import type { Settings, StaffRole } from '@insurance-verification/schema';
import type { ColumnType, Generated } from 'kysely';
import type { Instant, Mac, VerifyWithinColumn } from './columns.ts';

export interface StaffTables {
  staff: StaffTable;
  sign_in_link: SignInLinkTable;
  staff_session: StaffSessionTable;
  staff_identity: StaffIdentityTable;
  used_logout_token: UsedLogoutTokenTable;
  emergency_access: EmergencyAccessTable;
  passkey: PasskeyTable;
  used_passkey_challenge: UsedPasskeyChallengeTable;
  staff_settings: StaffSettingsTable;
}

interface StaffTable {
  mac: Mac;
  id: string;
  /** As a JSON string, like an account's. */
  name: string;
  /** Null for the platform's. */
  account_id: string | null;
  roles: StaffRole[];
  /** The networks they work from; null means anywhere. */
  allowed_cidrs: string[] | null;
  /** What they are kept to as a verifier; null for nothing. */
  verify_within: VerifyWithinColumn;
  created_at: Generated<Date>;
  /** When the person's access ended; null while it lasts. */
  ended_at: Instant | null;
  /** Who added them, and who may have acted in it: see `two-people.ts`. */
  made_by: string[] | null;
}

interface SignInLinkTable {
  mac: Mac;
  /** HMAC of the link's token. */
  hash: Buffer;
  staff_id: string;
  expires_at: Instant;
  /** As a person's; null for the service's own. */
  made_by: string[] | null;
}

interface StaffSessionTable {
  mac: Mac;
  id: string;
  staff_id: string;
  /** HMAC of the cookie's token. */
  hash: Buffer;
  /** HMAC of the secret that the pages of its origin send with each call. */
  origin_hash: Buffer;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  expires_at: Instant;
  /** Set when it was ended early; null otherwise. */
  ended_at: Instant | null;
  /** Until when a phone call or a payer's portal keeps it without use; null without one. */
  on_call_until: Instant | null;
  /** How it was begun. */
  way: Generated<'link' | 'provider' | 'passkey'>;
  /** Whose link began it, or gave the passkey or the identity that did; null for their own. */
  link_by: string[] | null;
  /** When the person last proved who they are; null when the provider does not say. */
  proven_at: ColumnType<Date | null, Date | string | null | undefined, Date | null>;
  /** The browser and system that it was begun with, in words; null when unknown. */
  device: string | null;
  issuer: string | null;
  /** The provider's own session, which its back-channel logout names. */
  provider_sid: string | null;
}

interface StaffIdentityTable {
  mac: Mac;
  issuer: string;
  subject: string;
  staff_id: string;
  /** When the provider last let the person in; null from when it signed them out. */
  signed_in_at: ColumnType<Date | null, never, Date | null>;
  /** Who invited them; null without an invitation. */
  link_by: string[] | null;
}

interface UsedLogoutTokenTable {
  /** HMAC of its issuer and jti. */
  hash: Buffer;
  expires_at: Instant;
}

interface EmergencyAccessTable {
  mac: Mac;
  session_id: string;
  begun_at: Generated<Date>;
  ends_at: Instant;
  staff_id: string;
}

interface PasskeyTable {
  id: string;
  staff_id: string;
  /** HMAC of the credential's id. */
  hash: Buffer;
  /** Encrypted, so that write access to the database is not a way in: see `KeptCredential`. */
  credential: Buffer;
  /** How often the authenticator says that it was used; 0 for one that does not count. */
  sign_count: string;
  /** As a JSON string, like an account's. */
  name: string;
  created_at: Generated<Date>;
  /** When the person last signed in with it; null before the first time. */
  used_at: Instant | null;
}

interface UsedPasskeyChallengeTable {
  /** HMAC of the challenge. */
  hash: Buffer;
  expires_at: Instant;
}

interface StaffSettingsTable {
  staff_id: string;
  /** What differs from the default. */
  settings: ColumnType<Partial<Settings>, string, string>;
}
