import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The people of an identity provider. Found by issuer and subject alone, never by e-mail: an address may be given to
  // someone else. signed_in_at: when the provider last let the person in; null from when it signed them out.
  sql`create table staff_identity (
    issuer text not null,
    subject text not null,
    staff_id issued_id not null references staff,
    signed_in_at timestamptz default now(),
    primary key (issuer, subject)
  )`,
  sql`create index staff_identity_staff on staff_identity (staff_id)`,

  // way: how it was begun. proven_at: when the person last proved who they are; null when the provider does not say.
  // issuer, provider_sid: the provider's own session, which its back-channel logout names. on_call_until: until when a
  // phone call keeps the session without use.
  sql`alter table staff_session
    add column way text not null default 'link' check (way in ('link', 'provider')),
    add column proven_at timestamptz default now(),
    add column device text,
    add column issuer text,
    add column provider_sid text,
    add column on_call_until timestamptz`,
  sql`create index staff_session_provider on staff_session (issuer, provider_sid) where provider_sid is not null`,

  // Logout tokens that were taken; each works once. hash: a keyed HMAC of issuer and jti.
  sql`create table used_logout_token (hash bytea primary key, expires_at timestamptz not null)`,
  sql`create index used_logout_token_expires on used_logout_token (expires_at)`,

  // An operator's hour of emergency access. Never removed, like the audit. reason: sealed, since it may name a patient.
  sql`create table emergency_access (
    session_id issued_id not null,
    begun_at timestamptz not null default now(),
    ends_at timestamptz not null,
    staff_id issued_id not null references staff,
    reason bytea not null,
    primary key (session_id, begun_at)
  )`,
  sql`create index emergency_access_staff on emergency_access (staff_id, begun_at)`,

  // Until when the verifier is on the phone with the payer.
  sql`alter table verification_attempt add column on_call_until timestamptz`,
];

/** Identity providers, emergency access, and sessions that a phone call keeps. */
export const signIn: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
