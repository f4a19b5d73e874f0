import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { EVERYWHERE, within } from '../access/reach.ts';
import { recordAccess, type SignInWay } from '../access/record-access.ts';
import { actorsOf } from '../access/two-people.ts';
import type { Vault } from '../encryption/vault.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { findRow, insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { createSecretToken, maybeSecretToken } from './secret-token.ts';
import { beginSession } from './sessions.ts';

/**
 * Minutes for which a link is valid, by how people sign in: one that signs in by itself, one with which its person makes
 * a first passkey, one that only says whom the provider's sign-in is to be.
 */
const LINK_MINUTES: Readonly<Record<SignInWay, number>> = {
  link: 30,
  passkey: 72 * 60,
  provider: 7 * 24 * 60,
};

interface SignInLink {
  /** 256 bits. Only in this answer, never stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

interface LinkOrder {
  readonly caller: Caller | null;
  readonly staffId: string;
  /** How people sign in here. Where it is not by a link, the link is an invitation. */
  readonly way: SignInWay;
}

type CreatedLink =
  | ({ readonly kind: 'created' } & SignInLink)
  /** No such person within reach, or one whose access has ended. */
  | { readonly kind: 'not_found' };

/**
 * Creates a link that signs a person in once, or invites them. Earlier links stay valid. The caller is null for the
 * service itself, which prints one for its first person at the start.
 */
export async function createSignInLink(
  { db, vault }: Store,
  { caller, staffId, way }: LinkOrder,
): Promise<CreatedLink> {
  if (!isIssuedId('stf', staffId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx) => {
    // Locked, so that a link created while the person's access ends does not outlive it.
    const inside = { db: trx, vault };
    const member = await findRow(inside, 'staff', {
      is: { id: staffId, ended_at: null },
      where: within(caller ?? EVERYWHERE, 'account_id'),
      lock: 'for update',
    });
    if (!member) return { kind: 'not_found' };
    const token = createSecretToken();
    const now = await readNow(trx);
    const expiresAt = new Date(now.getTime() + LINK_MINUTES[way] * 60_000);
    const hash = vault.index('sign_in_link.hash', token);
    await insertRow(inside, 'sign_in_link', {
      hash,
      staff_id: staffId,
      expires_at: expiresAt,
      made_by: caller && (await actorsOf(inside, caller)),
    });
    await recordAccess(trx, { caller, operation: 'staff.link', subjectId: staffId });
    return { kind: 'created', token, expiresAt };
  });
}

type FoundLink =
  /** `accountName`: null for a person of the platform. */
  | {
      readonly kind: 'found';
      readonly staffId: string;
      readonly name: string;
      readonly accountName: string | null;
    }
  /** Unknown, used, too old, altered, or of a person whose access has ended. */
  | { readonly kind: 'link_not_valid' };

/** Whom a one-time link signs in or invites. Uses nothing up: the person who opened it has yet to agree. */
export async function findSignInLink(store: Store, token: string): Promise<FoundLink> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  const link = await findLink(store, token, { locks: false });
  if (!link) return { kind: 'link_not_valid' };
  const { staffId } = link;
  const { name, accountName } = await store.db
    .selectFrom('staff')
    .leftJoin('account', 'account.id', 'staff.account_id')
    .select(['staff.name', 'account.name as accountName'])
    .where('staff.id', '=', staffId)
    .executeTakeFirstOrThrow();
  return {
    kind: 'found',
    staffId,
    name: JSON.parse(name) as string,
    accountName: accountName && (JSON.parse(accountName) as string),
  };
}

/** Whom a one-time link names. */
interface LinkedPerson {
  readonly staffId: string;
  /** Null for the platform's. */
  readonly accountId: string | null;
  /** Who made it, and who may have acted in it; null for the service itself. */
  readonly madeBy: string[] | null;
}

/**
 * The person of a link that still works, with its row locked where that is asked; undefined for a link that is unknown
 * or old, and where the link or its person was altered.
 */
export async function findLink(
  { db, vault }: { readonly db: Kysely<Tables>; readonly vault: Vault },
  token: string,
  { locks }: { readonly locks: boolean },
): Promise<LinkedPerson | undefined> {
  const hash = vault.index('sign_in_link.hash', token);
  const row = await db
    .selectFrom('sign_in_link')
    .innerJoin('staff', 'staff.id', 'sign_in_link.staff_id')
    .select([coveredOf('sign_in_link').as('link'), coveredOf('staff').as('staff')])
    .where('sign_in_link.hash', '=', hash)
    .where('sign_in_link.expires_at', '>', sql<Date>`now()`)
    .where('staff.ended_at', 'is', null)
    .$if(locks, (found) => found.forUpdate())
    .executeTakeFirst();
  const link = row && vault.macs.open('sign_in_link', row.link);
  const person = row && vault.macs.open('staff', row.staff);
  if (!link?.hash.equals(hash) || person?.id !== link.staff_id) return undefined;
  return { staffId: person.id, accountId: person.account_id, madeBy: link.made_by };
}

/** Deletes a link, which then works no more. */
export async function useUpLink(
  { db, vault }: { readonly db: Kysely<Tables>; readonly vault: Vault },
  token: string,
): Promise<void> {
  const hash = vault.index('sign_in_link.hash', token);
  await db.deleteFrom('sign_in_link').where('hash', '=', hash).execute();
}

/** A link, and the browser in which its person uses it. */
export interface LinkUse {
  readonly token: string;
  readonly originSecret: string;
  /** The browser and system, in words; null when unknown. */
  readonly device: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

type SignedIn =
  /** `token`: the new session's, only in this answer and never stored. */
  | { readonly kind: 'signed_in'; readonly token: string }
  /** Unknown, used, or older than its 30 minutes. */
  | { readonly kind: 'link_not_valid' };

/** Uses up a one-time link and starts a session for its person. Of two concurrent uses, one succeeds. */
export async function signIn(
  { db, vault }: Store,
  { token, originSecret, device, address }: LinkUse,
): Promise<SignedIn> {
  if (!maybeSecretToken(token)) return { kind: 'link_not_valid' };
  return db.transaction().execute(async (trx) => {
    const link = await findLink({ db: trx, vault }, token, { locks: true });
    if (!link) return { kind: 'link_not_valid' };
    await useUpLink({ db: trx, vault }, token);
    const { madeBy: linkBy, ...person } = link;
    const session = { ...person, linkBy, way: 'link', originSecret, device, address } as const;
    return { kind: 'signed_in', token: await beginSession(trx, vault, session) };
  });
}

export interface RefusedSignIn {
  readonly way: SignInWay;
  /** The reason, as shown to the person. */
  readonly refusal: string;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

/** Records a refused sign-in of an unknown person. The caller bounds how often. */
export async function recordRefusedSignIn({ db }: Store, refused: RefusedSignIn): Promise<void> {
  const { way, refusal, address } = refused;
  const by = { name: null, sessionId: null, address, isEmergency: false };
  await recordAccess(db, {
    caller: { keyId: null, accountId: null, by },
    operation: 'sessions.signIn',
    outcome: 'refused',
    details: { way, refusal },
  });
}
