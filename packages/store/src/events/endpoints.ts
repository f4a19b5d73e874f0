import type { CreatedEndpoint, Endpoint, EventType, WebhookSecret } from '@insurance-verification/schema';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import { findLiveHolder } from '../access/live-holder.ts';
import { recordAccess } from '../access/record-access.ts';
import { destinationHostOf, endpointUrlPlace } from '../delivery/message.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import { isIssuedId, issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { countMissed, ENABLED } from './missed-events.ts';
import { writeEvent } from './write-event.ts';

/** Endpoints of an account that are not ended. */
export const ENDPOINT_COUNT_MAX = 5;

/** The encryption context of an endpoint's secrets: one for both, so that a rotation moves them unchanged. */
export const endpointSecretPlace = (endpointId: string) => `webhook_endpoint.secret:${endpointId}`;

type Row = Selectable<Tables['webhook_endpoint']>;
type Inside = Pick<Store, 'db' | 'vault'>;

interface NewEndpoint {
  readonly caller: Caller;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly secret: string;
}

type EndpointCreation =
  | { readonly kind: 'created'; readonly endpoint: CreatedEndpoint }
  /** The account has as many as it may have. */
  | { readonly kind: 'too_many' };

/**
 * Creates an endpoint of the caller's account. One that a caller across accounts creates gets the events of every account
 * that its mode reaches, unless a person acts for another account: then that account's. The secret is in the answer and
 * nowhere else.
 */
export async function createEndpoint(
  store: Store,
  { caller, url, types, secret }: NewEndpoint,
): Promise<EndpointCreation> {
  const { db, vault } = store;
  const { accountId } = caller;
  const id = issueId('ep');
  const encrypt = await vault.encrypterFor([accountId]);
  return db.transaction().execute(async (trx): Promise<EndpointCreation> => {
    await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    if ((await readEndpoints(trx, accountId)).length >= ENDPOINT_COUNT_MAX) return { kind: 'too_many' };
    const row = await trx
      .insertInto('webhook_endpoint')
      .values({
        id,
        account_id: accountId,
        reach: reachOf(caller),
        url: encrypt(accountId, endpointUrlPlace(id), url),
        destination_host: destinationHostOf(vault, url),
        types: [...new Set(types)],
        secret: encrypt(accountId, endpointSecretPlace(id), secret),
        made_by: caller.keyId,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const endpoint = await toEndpoint({ db: trx, vault }, row);
    await recordAccess(trx, {
      caller,
      operation: 'endpoints.create',
      subjectId: id,
      details: { before: null, after: { types: endpoint.types, covers: endpoint.covers } },
    });
    return { kind: 'created', endpoint: { ...endpoint, secret } };
  });
}

function reachOf({ acrossAccounts, accountId, mode, by }: Caller): Row['reach'] {
  const actsForAnother = by?.sessionId != null && accountId !== DEFAULT_ACCOUNT_ID;
  if (!acrossAccounts || actsForAnother) return 'own';
  return mode === 'live' ? 'all' : 'test';
}

/** The endpoints of the caller's account that are not ended, oldest first. */
export async function listEndpoints(
  { db, vault }: Store,
  { caller }: { readonly caller: Caller },
): Promise<Endpoint[]> {
  const rows = await readEndpoints(db, caller.accountId);
  await recordAccess(db, { caller, operation: 'endpoints.list' });
  return Promise.all(rows.map((row) => toEndpoint({ db, vault }, row)));
}

const readEndpoints = (db: Store['db'], accountId: string): Promise<Row[]> =>
  db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('subscription', 'is', null)
    .orderBy('id')
    .execute();

export interface OfEndpoint {
  readonly caller: Caller;
  readonly endpointId: string;
}

/** `not_found`: the caller's account has no such endpoint; also for malformed ids. */
type FoundEndpoint = { readonly kind: 'found'; readonly endpoint: Endpoint } | { readonly kind: 'not_found' };

/** One endpoint of the caller's account. */
export async function getEndpoint(
  { db, vault }: Store,
  { caller, endpointId }: OfEndpoint,
): Promise<FoundEndpoint> {
  const row = (await readEndpoints(db, caller.accountId)).find(({ id }) => id === endpointId);
  if (!row) return { kind: 'not_found' };
  await recordAccess(db, { caller, operation: 'endpoints.get', subjectId: endpointId });
  return { kind: 'found', endpoint: await toEndpoint({ db, vault }, row) };
}

interface EndpointChange extends OfEndpoint {
  readonly types?: readonly EventType[] | undefined;
  readonly isEnabled?: boolean | undefined;
}

/**
 * Changes the types, or disables and enables. Enabled again, it counts as if it had never failed; where its maker has
 * ended, the caller takes it over and is its maker from then on.
 */
export async function updateEndpoint(
  store: Store,
  { caller, endpointId, types, isEnabled }: EndpointChange,
): Promise<FoundEndpoint> {
  return changeLocked(store, { caller, endpointId, operation: 'endpoints.update' }, async (trx, row) => {
    const off =
      isEnabled === false && row.disabled_at === null
        ? { disabled_at: sql<Date>`now()`, disabled_reason: 'paused' as const }
        : {};
    const on =
      isEnabled === true && row.disabled_at !== null
        ? { ...ENABLED, made_by: await makerAfter({ db: trx, vault: store.vault }, row, caller) }
        : {};
    return trx
      .updateTable('webhook_endpoint')
      .set({ types: types ? [...new Set(types)] : row.types, ...off, ...on })
      .where('id', '=', endpointId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Ends an endpoint for good. What is still due to it is given up at its next attempt, unsent. */
export function endEndpoint(store: Store, { caller, endpointId }: OfEndpoint): Promise<FoundEndpoint> {
  return changeLocked(store, { caller, endpointId, operation: 'endpoints.end' }, (trx) =>
    trx
      .updateTable('webhook_endpoint')
      .set({ ended_at: sql<Date>`now()` })
      .where('id', '=', endpointId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

async function changeLocked(
  { db, vault }: Store,
  {
    caller,
    endpointId,
    operation,
  }: OfEndpoint & { readonly operation: 'endpoints.update' | 'endpoints.end' },
  change: (trx: Transaction<Tables>, row: Row) => Promise<Row>,
): Promise<FoundEndpoint> {
  return db.transaction().execute(async (trx): Promise<FoundEndpoint> => {
    const row = await lockEndpoint(trx, { caller, endpointId });
    if (!row) return { kind: 'not_found' };
    const changed = await change(trx, row);
    await recordAccess(trx, {
      caller,
      operation,
      subjectId: endpointId,
      details: { before: settingsOf(row), after: settingsOf(changed) },
    });
    return { kind: 'found', endpoint: await toEndpoint({ db: trx, vault }, changed) };
  });
}

const settingsOf = ({ types, made_by, disabled_reason, ended_at }: Row) => ({
  types,
  made_by,
  disabled_reason,
  ended: ended_at !== null,
});

/** The maker of an endpoint that a caller enables: as it was, unless that has ended. */
async function makerAfter(inside: Inside, { made_by }: Row, { keyId }: Caller): Promise<string | null> {
  return made_by === null || (await findLiveHolder(inside, made_by)) ? made_by : keyId;
}

/** Locks an endpoint of the caller's account that is not ended. */
export async function lockEndpoint(
  trx: Transaction<Tables>,
  { caller, endpointId }: OfEndpoint,
): Promise<Row | undefined> {
  if (!isIssuedId('ep', endpointId)) return undefined;
  return trx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('account_id', '=', caller.accountId)
    .where('ended_at', 'is', null)
    .where('subscription', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Hours for which the previous secret signs next to the current one, as an account's does. */
const OVERLAP_HOURS = 24;

type RotatedEndpoint =
  | { readonly kind: 'rotated'; readonly secret: WebhookSecret }
  | { readonly kind: 'not_found' }
  /** The previous secret still signs, and may not end early. */
  | { readonly kind: 'too_many_rotations'; readonly retryAfterSeconds: number };

/** Makes `next` the endpoint's secret. The one before signs for another day. */
export async function rotateEndpoint(
  { db, vault }: Store,
  { caller, endpointId, next }: OfEndpoint & { readonly next: string },
): Promise<RotatedEndpoint> {
  return db.transaction().execute(async (trx): Promise<RotatedEndpoint> => {
    const row = await lockEndpoint(trx, { caller, endpointId });
    if (!row) return { kind: 'not_found' };
    const retryAfterSeconds = await secondsLeft(trx, row.previous_secret_until);
    if (retryAfterSeconds > 0) return { kind: 'too_many_rotations', retryAfterSeconds };
    const place = endpointSecretPlace(endpointId);
    const owner = { accountId: caller.accountId };
    const { previous_secret_until: until } = await trx
      .updateTable('webhook_endpoint')
      .set({
        secret: await vault.encrypt(owner, place, next),
        previous_secret: row.secret,
        previous_secret_until: sql<Date>`now() + make_interval(hours => ${OVERLAP_HOURS})`,
      })
      .where('id', '=', endpointId)
      .returning('previous_secret_until')
      .executeTakeFirstOrThrow();
    await writeEvent(
      { db: trx, vault },
      {
        type: 'webhook_secret.rotated',
        accountId: caller.accountId,
        subjectId: endpointId,
        data: { endpoint_id: endpointId },
      },
    );
    await recordAccess(trx, { caller, operation: 'endpoints.rotate', subjectId: endpointId });
    const previous = (await vault.decrypt(owner, place, row.secret)).toString('utf8');
    return {
      kind: 'rotated',
      secret: { current: next, previous, previous_valid_until: until?.toISOString() ?? null },
    };
  });
}

async function secondsLeft(trx: Transaction<Tables>, until: Date | null): Promise<number> {
  if (until === null) return 0;
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from ${until}::timestamptz - now()))::int as seconds`.execute(trx);
  return rows[0]?.seconds ?? 0;
}

type TestOfEndpoint =
  | { readonly kind: 'posted'; readonly eventId: string }
  /** No such endpoint, or it is disabled. */
  | { readonly kind: 'not_found' };

/** Writes an event for one endpoint, whatever its types. */
export async function testEndpoint(
  { db, vault }: Store,
  { caller, endpointId }: OfEndpoint,
): Promise<TestOfEndpoint> {
  return db.transaction().execute(async (trx): Promise<TestOfEndpoint> => {
    const row = await lockEndpoint(trx, { caller, endpointId });
    if (!row || row.disabled_at !== null) return { kind: 'not_found' };
    const eventId = await writeEvent(
      { db: trx, vault },
      {
        type: 'endpoint.test',
        accountId: caller.accountId,
        subjectId: endpointId,
        data: { endpoint_id: endpointId },
        onlyEndpointId: endpointId,
      },
    );
    await recordAccess(trx, { caller, operation: 'endpoints.test', subjectId: endpointId });
    return { kind: 'posted', eventId };
  });
}

interface EndpointFailures {
  /** Took no event for two hours or more, and are not disabled for it yet. */
  readonly failingCount: number;
  /** Disabled by the service, and since then neither enabled nor ended. */
  readonly disabledCounts: Readonly<Record<'failing' | 'gone', number>>;
}

/** How many endpoints of all accounts fail, or were disabled for it; without subscriptions over MCP. */
export async function countEndpointFailures({ db }: Store): Promise<EndpointFailures> {
  const { rows } = await sql<{ failing_count: number; off_count: number; gone_count: number }>`
    select count(*) filter (where told_hours > 0 and disabled_at is null)::int as failing_count,
      count(*) filter (where disabled_reason = 'failing')::int as off_count,
      count(*) filter (where disabled_reason = 'gone')::int as gone_count
    from webhook_endpoint where ended_at is null and (told_hours > 0 or disabled_at is not null)`.execute(db);
  const { failing_count: failingCount = 0, off_count: failing = 0, gone_count: gone = 0 } = rows[0] ?? {};
  return { failingCount, disabledCounts: { failing, gone } };
}

/** An endpoint as it is shown, with the number of events that it missed. */
export async function toEndpoint({ db, vault }: Inside, row: Row): Promise<Endpoint> {
  const opening = vault.decrypt({ accountId: row.account_id }, endpointUrlPlace(row.id), row.url);
  const url = (await decryptOrNull(opening))?.toString('utf8');
  return {
    endpoint_id: row.id,
    account_id: row.account_id,
    url: url === undefined ? null : withoutUserInfo(url),
    types: row.types as EventType[],
    covers: row.reach,
    created_at: row.created_at.toISOString(),
    made_by: row.made_by,
    failing_since: row.failing_since?.toISOString() ?? null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    missed_count: row.missed_from || row.disabled_at ? await countMissed(db, row.id) : 0,
  };
}

/** The user name and password of an address are sent to it, and shown to no one. */
function withoutUserInfo(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
