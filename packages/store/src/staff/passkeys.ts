import { randomBytes } from 'node:crypto';
import type { Passkey, PasskeyList } from '@insurance-verification/schema';
import type { Selectable } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';

/** What a browser needs to create a passkey (`PublicKeyCredentialCreationOptions`). */
interface BegunPasskey {
  readonly challenge: Buffer;
  /** The encrypted challenge, which the browser returns to `passkeys.add` in the same session. */
  readonly token: string;
  /** The credentials of the person, for `excludeCredentials`: an authenticator that has one creates no second. */
  readonly known: readonly KeptCredential[];
}

export async function beginPasskey(
  store: Store,
  { caller, sessionId }: { readonly caller: Caller; readonly sessionId: string },
): Promise<BegunPasskey> {
  const rows = await store.db
    .selectFrom('passkey')
    .select(['id', 'staff_id', 'credential'])
    .where('staff_id', '=', caller.keyId)
    .execute();
  const known = await Promise.all(rows.map((row) => openCredential(store.vault, row)));
  const { challenge, encrypted } = await encryptChallenge(store, { sessionId });
  await recordAccess(store.db, { caller, operation: 'passkeys.begin' });
  return { challenge, token: encrypted, known };
}

/** The most passkeys of one person. */
export const PASSKEY_COUNT_MAX = 20;

interface NewPasskey {
  readonly caller: Caller;
  readonly name: string;
  /** The verified credential of a registration (Web Authentication, section 7.1), with its signature counter. */
  readonly credential: KeptCredential & { readonly signCount: number };
}

type AddedPasskey =
  | { readonly kind: 'added'; readonly passkey: Passkey }
  /** `taken`: the credential is registered already, for whomever. */
  | { readonly kind: 'taken' | 'too_many' };

/** Registers a passkey of the caller. `too_many`: the person has {@link PASSKEY_COUNT_MAX} already. */
export async function addPasskey(
  { db, vault }: Store,
  { caller, name, credential: { signCount, ...kept } }: NewPasskey,
): Promise<AddedPasskey> {
  const ref = { id: issueId('pky'), staff_id: caller.keyId };
  const linkBy = [...(caller.linkBy ?? []), ...(caller.enrolledBy ?? [])];
  const encrypted = await encryptCredential(vault, ref, { ...kept, ...(linkBy.length > 0 && { linkBy }) });
  return db.transaction().execute(async (trx): Promise<AddedPasskey> => {
    // Locked, so that two at once do not pass the bound together.
    await trx.selectFrom('staff').select('id').where('id', '=', caller.keyId).forUpdate().execute();
    const own = await trx.selectFrom('passkey').select('id').where('staff_id', '=', caller.keyId).execute();
    if (own.length >= PASSKEY_COUNT_MAX) return { kind: 'too_many' };
    const row = await trx
      .insertInto('passkey')
      .values({
        ...ref,
        hash: hashOfCredential(vault, kept.id),
        credential: encrypted,
        sign_count: String(signCount),
        name: JSON.stringify(name),
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning(['id', 'name', 'created_at', 'used_at'])
      .executeTakeFirst();
    if (!row) return { kind: 'taken' };
    await recordAccess(trx, { caller, operation: 'passkeys.add', subjectId: ref.id });
    return { kind: 'added', passkey: toPasskey(row) };
  });
}

/**
 * Deletes a passkey of the caller. Sessions that it began stay live; the person ends those in the list of sessions.
 * `not_found`: none of the caller's has this id.
 */
export async function endPasskey(
  { db }: Store,
  { caller, passkeyId }: { readonly caller: Caller; readonly passkeyId: string },
): Promise<{ readonly kind: 'ended' | 'not_found' }> {
  if (!isIssuedId('pky', passkeyId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('passkey')
      .where('id', '=', passkeyId)
      .where('staff_id', '=', caller.keyId)
      .returning('id')
      .executeTakeFirst();
    if (!ended) return { kind: 'not_found' };
    await recordAccess(trx, { caller, operation: 'passkeys.end', subjectId: passkeyId });
    return { kind: 'ended' };
  });
}

/** The caller's passkeys, newest first; all at once, since there are at most `PASSKEY_COUNT_MAX`. */
export async function listPasskeys({ db }: Store, caller: Caller): Promise<PasskeyList> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'used_at'])
    .where('staff_id', '=', caller.keyId)
    .orderBy('id', 'desc')
    .execute();
  await recordAccess(db, { caller, operation: 'passkeys.list' });
  return { items: rows.map(toPasskey) };
}

/** A passkey as `passkeys.list` answers it. */
function toPasskey(
  row: Pick<Selectable<Tables['passkey']>, 'id' | 'name' | 'created_at' | 'used_at'>,
): Passkey {
  return {
    passkey_id: row.id,
    name: JSON.parse(row.name) as string,
    created_at: row.created_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  };
}

/** The stored part of an authenticator's credential. */
export interface KeptCredential {
  /** The credential id in base64url. */
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** How the authenticator is reached (`AuthenticatorTransport`): `internal`, `usb`, `hybrid`. */
  readonly transports: readonly string[];
  /** By whose link the session was begun that it was made in; absent for their own. See `two-people.ts`. */
  readonly linkBy?: readonly string[];
}

interface PasskeyRef {
  readonly id: string;
  readonly staff_id: string;
}

/** The additional authenticated data of an encrypted credential: in another row or for another person it does not open. */
const placeOf = ({ id, staff_id }: PasskeyRef) => `passkey.credential:${id}.${staff_id}`;

/** The keyed hash that a passkey is found by. */
export const hashOfCredential = (vault: Vault, id: string): Buffer => vault.index('passkey.hash', id);

function encryptCredential(vault: Vault, row: PasskeyRef, kept: KeptCredential): Promise<Buffer> {
  const publicKey = Buffer.from(kept.publicKey).toString('base64url');
  return vault.encrypt('system', placeOf(row), JSON.stringify({ ...kept, publicKey }));
}

export async function openCredential(
  vault: Vault,
  row: PasskeyRef & { readonly credential: Buffer },
): Promise<KeptCredential> {
  const { publicKey, ...kept } = await vault.decryptJson<
    Omit<KeptCredential, 'publicKey'> & { publicKey: string }
  >('system', placeOf(row), row.credential);
  return { ...kept, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')) };
}

/** Minutes for which a challenge is valid. */
export const CHALLENGE_MINUTES = 5;

/**
 * The purpose of a challenge, to which it is bound: a sign-in, whose browser keeps it as a cookie, or a new
 * passkey of one session.
 */
type ChallengePurpose = { readonly sessionId: string } | 'sign-in';

const challengePlaceOf = (purpose: ChallengePurpose) =>
  purpose === 'sign-in' ? 'cookie:passkey' : `passkey.new:${purpose.sessionId}`;

/**
 * Makes a challenge of 32 random bytes, and the same encrypted in base64url. Nothing is stored until it is used, so that
 * strangers who ask cannot fill a table.
 */
export async function encryptChallenge(
  { vault }: Store,
  purpose: ChallengePurpose,
): Promise<{ readonly challenge: Buffer; readonly encrypted: string }> {
  const challenge = randomBytes(32);
  const until = Date.now() + CHALLENGE_MINUTES * 60_000;
  const text = JSON.stringify({ challenge: challenge.toString('base64url'), until });
  const encrypted = await vault.encrypt('system', challengePlaceOf(purpose), text);
  return { challenge, encrypted: encrypted.toString('base64url') };
}

type TakenChallenge =
  /** `challenge`: in base64url, as `clientDataJSON` has it. */
  | { readonly kind: 'taken'; readonly challenge: string }
  /** `expired`: older than five minutes, or encrypted for another purpose or elsewhere. `used`: it was used before. */
  | { readonly kind: 'expired' | 'used' };

/**
 * Opens an encrypted challenge and marks it as used, whether the assertion is valid or not. Of two concurrent uses one
 * succeeds.
 */
export async function takeChallenge(
  store: Store,
  purpose: ChallengePurpose,
  encrypted: string,
): Promise<TakenChallenge> {
  const opened = await open(store, purpose, encrypted);
  if (!opened || opened.until <= Date.now()) return { kind: 'expired' };
  const first = await store.db
    .insertInto('used_passkey_challenge')
    .values({
      hash: store.vault.index('used_passkey_challenge.hash', opened.challenge),
      expires_at: new Date(opened.until),
    })
    .onConflict((used) => used.doNothing())
    .returning('hash')
    .executeTakeFirst();
  return first ? { kind: 'taken', challenge: opened.challenge } : { kind: 'used' };
}

function open({ vault }: Store, purpose: ChallengePurpose, encrypted: string) {
  const bytes = Buffer.from(encrypted, 'base64url');
  return decryptOrNull(
    vault.decryptJson<{ challenge: string; until: number }>('system', challengePlaceOf(purpose), bytes),
  );
}
