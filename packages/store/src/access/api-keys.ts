import type {
  ApiKey,
  ApiKeyList,
  CreatedApiKey,
  RevokedApiKey,
  Scope,
  VerifyWithin,
} from '@insurance-verification/schema';
import { type Kysely, type Selectable, sql } from 'kysely';
import { madeEndpointIds } from '../events/made-endpoints.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import { type PageOptions, readPage } from '../page.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { changeRows, findRow, insertRow, readNow, rightRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import type { Caller } from './caller.ts';
import { detailsOf, settleEndpoints } from './end-holder.ts';
import { createApiKeyText, displayPrefix } from './find-api-key.ts';
import { accountNameOf, withAccountName } from './list-accounts.ts';
import { maySucceed } from './live-holder.ts';
import { within } from './reach.ts';
import { recordAccess } from './record-access.ts';
import { actorsOf } from './two-people.ts';

export interface NewApiKey {
  readonly caller: Caller;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly name: string | null;
  /** Null means never. Undefined means in a year, by the database's clock. */
  readonly expiresAt: Date | null | undefined;
  /** The networks it works from; null or absent means anywhere. */
  readonly allowedCidrs?: readonly string[] | null;
  /** What its scope `verify` is kept to; null or absent means nothing. */
  readonly verifyWithin?: VerifyWithin | null | undefined;
}

/**
 * A fault of a new key. `scope_needs_platform`: all scopes except `requests` and `secrets` act across accounts, so only
 * a platform account's key may have them. `expired_at_birth`: it would never work, by the database's clock, as for
 * every key. `expires_after_year_9999`: in UTC, though perhaps not in the given offset; RFC 3339 cannot write a later
 * year.
 */
export type ApiKeyFault =
  | 'account_not_found'
  | 'scope_needs_platform'
  | 'expired_at_birth'
  | 'expires_after_year_9999';

/** The scopes open to any account's key: they act only on the key's own account. */
const ownScopes: ReadonlySet<Scope> = new Set(['requests', 'secrets']);

type ApiKeyCreation =
  | { readonly kind: 'created'; readonly key: CreatedApiKey }
  /** All faults, in the order of the key's fields. */
  | { readonly kind: 'faulty'; readonly faults: readonly ApiKeyFault[] };

/** Creates a key. Its text is in the answer and nowhere else. */
export async function createApiKey(store: Store, key: NewApiKey): Promise<ApiKeyCreation> {
  const { db, vault } = store;
  const account =
    isIssuedId('acct', key.accountId) && key.accountId !== KNOWN_ANSWERS_ACCOUNT_ID
      ? await findRow(store, 'account', { is: { id: key.accountId }, where: within(key.caller, 'id') })
      : undefined;
  const faults: ApiKeyFault[] = [];
  if (!account) faults.push('account_not_found');
  else if (account.kind !== 'platform' && key.scopes.some((scope) => !ownScopes.has(scope)))
    faults.push('scope_needs_platform');
  if (key.expiresAt && (await isPast(db, key.expiresAt))) faults.push('expired_at_birth');
  if (key.expiresAt && key.expiresAt.getUTCFullYear() > 9999) faults.push('expires_after_year_9999');
  if (!account || faults.length > 0) return { kind: 'faulty', faults };
  const text = createApiKeyText(account.mode);
  const made = await db.transaction().execute(async (trx) => {
    const keyId = issueId('key');
    const now = await readNow(trx);
    const inserted = await insertRow({ db: trx, vault }, 'api_key', {
      id: keyId,
      account_id: key.accountId,
      hash: vault.index('api_key.hash', text),
      prefix: displayPrefix(text),
      name: key.name === null ? null : JSON.stringify(key.name),
      scopes: [...new Set(key.scopes)],
      bootstrap: false,
      created_at: now,
      expires_at: key.expiresAt === undefined ? yearAfter(now) : key.expiresAt,
      revoked_at: null,
      allowed_cidrs: key.allowedCidrs ? [...key.allowedCidrs] : null,
      created_by: key.caller.keyId,
      made_by: await actorsOf({ db: trx, vault }, key.caller),
      verify_within: key.verifyWithin ?? null,
    });
    const row = { ...inserted, account_name: account.name, endpoint_ids: [] };
    const { account_id, name, scopes, expires_at, allowed_cidrs, verify_within } = toApiKey(row, key.caller);
    await recordAccess(trx, {
      caller: key.caller,
      operation: 'keys.create',
      subjectId: keyId,
      details: {
        before: null,
        after: { account_id, name, scopes, expires_at, allowed_cidrs, verify_within },
      },
    });
    return row;
  });
  return { kind: 'created', key: { ...toApiKey(made, key.caller), key: text } };
}

function yearAfter(now: Date): Date {
  const later = new Date(now);
  later.setUTCFullYear(now.getUTCFullYear() + 1);
  return later;
}

async function isPast(db: Kysely<Tables>, instant: Date): Promise<boolean> {
  const { past } = await db
    .selectNoFrom(sql<boolean>`${instant}::timestamptz <= now()`.as('past'))
    .executeTakeFirstOrThrow();
  return past;
}

interface KeyListing extends PageOptions {
  readonly caller: Caller;
  /** Only keys that work and were made by a person whose access has ended. */
  readonly onlyOfLeft?: boolean;
}

const creatorLeft = sql<boolean>`exists (
  select from staff where staff.id = api_key.created_by and staff.ended_at is not null)`;

const stillWorks = sql<boolean>`api_key.revoked_at is null
  and (api_key.expires_at is null or api_key.expires_at > now())`;

/** The keys of the accounts within the caller's reach, including revoked ones, newest first. */
export async function listApiKeys(
  { db, vault }: Store,
  { caller, onlyOfLeft = false, ...page }: KeyListing,
): Promise<ApiKeyList> {
  const { rows, next_cursor } = await readPage(
    db
      .selectFrom('api_key')
      .selectAll()
      .select(accountNameOf('account_id').as('account_name'))
      .select([coveredOf('api_key').as('covered'), creatorLeft.as('creator_left')])
      .select(madeEndpointIds('api_key.id').as('endpoint_ids'))
      .where(within(caller, 'account_id'))
      .$if(onlyOfLeft, (all) => all.where(sql<boolean>`${creatorLeft} and ${stillWorks}`)),
    page,
  );
  await recordAccess(db, { caller, operation: 'keys.list' });
  return {
    items: rightRows(vault.macs, 'api_key', rows).map((row) => toApiKey(row, caller)),
    next_cursor,
  };
}

interface Revocation {
  readonly caller: Caller;
  readonly keyId: string;
  /** The key or person that takes over the endpoints that it made; null or absent: they are paused. */
  readonly successorId?: string | null | undefined;
}

type RevokedKey =
  | { readonly kind: 'revoked'; readonly key: RevokedApiKey }
  /** The successor is no live key or person of the key's account. */
  | { readonly kind: 'no_successor' }
  /** No such key within the caller's reach. */
  | { readonly kind: 'not_found' };

/**
 * Revokes a key, and pauses or hands over the endpoints that it made. Idempotent: the time of the first revocation
 * stays. A key that had ended by its date has handed them to its account already.
 */
export async function revokeApiKey(
  { db, vault }: Store,
  { caller, keyId, successorId = null }: Revocation,
): Promise<RevokedKey> {
  if (!isIssuedId('key', keyId)) return { kind: 'not_found' };
  return db.transaction().execute(async (trx): Promise<RevokedKey> => {
    const inside = { db: trx, vault };
    const choice = { is: { id: keyId }, where: within(caller, 'account_id') };
    const before = await findRow(inside, 'api_key', { ...choice, lock: 'for no key update' });
    if (!before) return { kind: 'not_found' };
    if (successorId !== null && !(await maySucceed(inside, successorId, before)))
      return { kind: 'no_successor' };
    const now = await readNow(trx);
    const revokedAt = before.revoked_at ?? now;
    const isExpired = before.expires_at !== null && before.expires_at <= revokedAt;
    const [row] = await changeRows(inside, 'api_key', { ...choice, set: () => ({ revoked_at: revokedAt }) });
    if (!row) return { kind: 'not_found' };
    const endpoints = await settleEndpoints(inside, { id: keyId, successorId, isExpired });
    await recordAccess(trx, {
      caller,
      operation: 'keys.revoke',
      subjectId: keyId,
      ...(endpoints.length > 0 && { details: detailsOf(successorId, endpoints) }),
    });
    const endpoint_ids = endpoints.filter(({ made_by }) => made_by === keyId).map((one) => one.endpoint_id);
    const key = toApiKey({ ...(await withAccountName(trx, row)), endpoint_ids }, caller);
    return { kind: 'revoked', key: { ...key, endpoints } };
  });
}

/** A key as operators see it: everything but its text: only a hash of the text is stored. */
function toApiKey(
  row: Selectable<Tables['api_key']> & {
    /** A JSON string. */
    readonly account_name: string;
    readonly endpoint_ids: string[];
    readonly creator_left?: boolean;
  },
  { keyId, mode }: Pick<Caller, 'keyId' | 'mode'>,
): ApiKey {
  // Nothing live is shown to a test account's caller.
  const showsCreator = mode === 'live' || row.created_by === keyId;
  return {
    key_id: row.id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    name: row.name === null ? null : (JSON.parse(row.name) as string),
    prefix: row.prefix,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    allowed_cidrs: row.allowed_cidrs,
    verify_within: row.verify_within,
    created_by: showsCreator ? row.created_by : null,
    creator_left: showsCreator && row.creator_left === true,
    endpoint_ids: row.endpoint_ids,
  };
}

/** Counts live keys of unsuspended accounts that expire within `days`. Uses an index on the expiry. */
export async function countExpiringKeys({ db }: Store, days: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('expires_at', '<=', sql<Date>`now() + make_interval(days => ${days})`)
    .where('suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
