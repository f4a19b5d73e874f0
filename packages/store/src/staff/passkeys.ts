import { randomBytes } from 'node:crypto';
import type { Passkey, PasskeyList } from '@insurance-verification/schema';
import type { Selectable, Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { ofCaller } from './sessions.ts';

/** What a browser needs to create a passkey (`PublicKeyCredentialCreationOptions`). */
export interface BegunPasskey {
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
  const known = await credentialsOf(store, caller.keyId);
  const { challenge, encrypted } = await encryptChallenge(store, { sessionId });
  await recordAccess(store.db, { caller, operation: 'passkeys.begin' });
  return { challenge, token: encrypted, known };
}

/** The credentials of a person's passkeys. */
export async function credentialsOf({ db, vault }: Store, staffId: string): Promise<KeptCredential[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'staff_id', 'credential'])
    .where('staff_id', '=', staffId)
    .execute();
  return Promise.all(rows.map((row) => openCredential(vault, row)));
}

/** The most passkeys of one person. */
export const PASSKEY_COUNT_MAX = 20;

/** A passkey that was just made. */
export interface MadePasskey {
  readonly name: string;
  /** The verified credential of a registration (Web Authentication, section 7.1), with its signature counter. */
  readonly credential: KeptCredential & { readonly signCount: number };
}

interface NewPasskey extends MadePasskey {
  readonly caller: Caller;
}

type AddedPasskey =
  | { readonly kind: 'added'; readonly passkey: Passkey }
  /** `taken`: the credential is registered already, for whomever. */
  | { readonly kind: 'taken' | 'too_many' };

/** Registers a passkey of the caller. `too_many`: the person has {@link PASSKEY_COUNT_MAX} already. */
export async function addPasskey({ db, vault }: Store, added: NewPasskey): Promise<AddedPasskey> {
  const { caller, ...made } = added;
  const linkBy = [...(caller.linkBy ?? []), ...(caller.enrolledBy ?? [])];
  const row = await encryptPasskey(vault, made, { staffId: caller.keyId, linkBy });
  return db.transaction().execute(async (trx): Promise<AddedPasskey> => {
    const inserted = await insertPasskey(trx, row);
    if (inserted.kind === 'added')
      await recordAccess(trx, { caller, operation: 'passkeys.add', subjectId: row.id });
    return inserted;
  });
}

interface PasskeyOwner {
  readonly staffId: string;
  /** By whose link the person makes it; empty for their own. */
  readonly linkBy: readonly string[];
}

/** The row of a new passkey, made before its transaction begins. */
export async function encryptPasskey(
  vault: Vault,
  { name, credential: { signCount, ...kept } }: MadePasskey,
  { staffId, linkBy }: PasskeyOwner,
) {
  const ref = { id: issueId('pky'), staff_id: staffId };
  return {
    ...ref,
    hash: hashOfCredential(vault, kept.id),
    credential: await encryptCredential(vault, ref, { ...kept, ...(linkBy.length > 0 && { linkBy }) }),
    sign_count: String(signCount),
    name: JSON.stringify(name),
  };
}

/** Inserts a passkey, unless its person has {@link PASSKEY_COUNT_MAX} or its credential is registered. */
export async function insertPasskey(
  trx: Transaction<Tables>,
  row: Awaited<ReturnType<typeof encryptPasskey>>,
): Promise<AddedPasskey> {
  // Locked, so that two at once do not pass the bound together.
  await trx.selectFrom('staff').select('id').where('id', '=', row.staff_id).forUpdate().execute();
  const own = await trx.selectFrom('passkey').select('id').where('staff_id', '=', row.staff_id).execute();
  if (own.length >= PASSKEY_COUNT_MAX) return { kind: 'too_many' };
  const inserted = await trx
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning(['id', 'name', 'created_at', 'used_at'])
    .executeTakeFirst();
  return inserted ? { kind: 'added', passkey: toPasskey(inserted) } : { kind: 'taken' };
}

interface PasskeyEnd {
  readonly caller: Caller;
  /** Whether it may be of any person within reach, for an admin; otherwise it is the caller's own. */
  readonly everyones: boolean;
  readonly passkeyId: string;
}

/**
 * Deletes a passkey. Sessions that it began stay live; they are ended in the list of sessions. `not_found`: the caller
 * may end none with this id.
 */
export async function endPasskey(
  { db }: Store,
  { caller, everyones, passkeyId }: PasskeyEnd,
): Promise<{ readonly kind: 'ended' | 'not_found' }> {
  if (!isIssuedId('pky', passkeyId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('passkey')
      .using('staff')
      .whereRef('staff.id', '=', 'passkey.staff_id')
      .where('passkey.id', '=', passkeyId)
      .where(ofCaller(caller, everyones))
      .returning('passkey.staff_id')
      .executeTakeFirst();
    if (!ended) return { kind: 'not_found' };
    // An administrator's line names the person: the row that named them is gone.
    const isOwn = ended.staff_id === caller.keyId;
    const details = { before: { staff_id: ended.staff_id }, after: {} };
    const line = { caller, operation: 'passkeys.end', subjectId: passkeyId } as const;
    await recordAccess(trx, { ...line, ...(!isOwn && { details }) });
    return { kind: 'ended' };
  });
}

interface PasskeyListing {
  readonly caller: Caller;
  /** As in {@link PasskeyEnd}. */
  readonly everyones: boolean;
  readonly staffId: string;
}

/** The passkeys of a person, newest first; all at once, since there are at most {@link PASSKEY_COUNT_MAX}. */
export async function listPasskeys(
  { db }: Store,
  { caller, everyones, staffId }: PasskeyListing,
): Promise<PasskeyList> {
  if (!isIssuedId('stf', staffId)) return { items: [] };
  const rows = await db
    .selectFrom('passkey')
    .innerJoin('staff', 'staff.id', 'passkey.staff_id')
    .select(['passkey.id', 'passkey.name', 'passkey.created_at', 'passkey.used_at'])
    .where('staff.id', '=', staffId)
    .where(ofCaller(caller, everyones))
    .orderBy('passkey.id', 'desc')
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
 * passkey of one session or of one invitation.
 */
type ChallengePurpose = { readonly sessionId: string } | { readonly invitation: string } | 'sign-in';

function challengePlaceOf(vault: Vault, purpose: ChallengePurpose): string {
  if (purpose === 'sign-in') return 'cookie:passkey';
  if ('sessionId' in purpose) return `passkey.new:${purpose.sessionId}`;
  return `cookie:invitation:${vault.index('sign_in_link.hash', purpose.invitation).toString('hex')}`;
}

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
  const encrypted = await vault.encrypt('system', challengePlaceOf(vault, purpose), text);
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
    vault.decryptJson<{ challenge: string; until: number }>(
      'system',
      challengePlaceOf(vault, purpose),
      bytes,
    ),
  );
}
