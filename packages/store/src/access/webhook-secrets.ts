import type { WebhookSecret } from '@insurance-verification/schema';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import { writeEvent } from '../events/write-event.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';

export interface EncryptedWebhookSecrets {
  webhook_secret: Buffer;
  previous_webhook_secret: Buffer | null;
  /** Null when there is no previous secret. */
  previous_webhook_secret_valid: boolean | null;
}

/** The encryption context of an account's secrets: one for all, so that a rotation moves the values unchanged. */
export const webhookSecretPlace = (accountId: string) => `account.webhook_secret:${accountId}`;

/**
 * Secrets that sign one webhook, including the current one; the maximum that the sender accepts. Each adds 48 bytes to
 * the signature header and makes every send more expensive.
 */
const SIGNING_SECRET_COUNT_MAX = 10;

interface Signing {
  readonly accountId: string;
  readonly row: EncryptedWebhookSecrets;
  /** Those before the previous one that still sign. */
  readonly earlier?: readonly Buffer[] | undefined;
  /** Their encryption context; by default that of the account's. */
  readonly place?: string;
}

/** All secrets that currently sign, latest first. */
export async function openWebhookSecrets(
  vault: Vault,
  { accountId, row, earlier = [], place = webhookSecretPlace(accountId) }: Signing,
): Promise<string[]> {
  const encrypted = [row.webhook_secret];
  if (row.previous_webhook_secret && row.previous_webhook_secret_valid)
    encrypted.push(row.previous_webhook_secret, ...earlier);
  return openSigningSecrets(vault, accountId, encrypted, place);
}

/** Decrypts the signing secrets of an account or endpoint, latest first, up to the maximum. */
export async function openSigningSecrets(
  vault: Vault,
  accountId: string,
  encrypted: readonly Buffer[],
  place = webhookSecretPlace(accountId),
): Promise<string[]> {
  const opened = await Promise.all(encrypted.map((secret) => vault.decrypt({ accountId }, place, secret)));
  const texts = new Set(opened.map((secret) => secret.toString('utf8'))); // a secret may have been reused
  return [...texts].slice(0, SIGNING_SECRET_COUNT_MAX);
}

/**
 * The still-signing secrets before the previous ones, encrypted, latest first, by account. Only accounts whose previous
 * secret signs need be asked: it is the last one to end.
 */
export async function readEarlierSecrets(
  db: Kysely<Tables>,
  accountIds: ReadonlySet<string>,
): Promise<Map<string, Buffer[]>> {
  if (accountIds.size === 0) return new Map();
  const rows = await db
    .selectFrom('earlier_webhook_secret')
    .select(['account_id', 'secret'])
    .where('account_id', 'in', [...accountIds])
    .where('valid_until', '>', sql<Date>`now()`)
    .orderBy('valid_until', 'desc')
    .execute();
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map([...byAccount].map(([id, some]) => [id, some.map(({ secret }) => secret)]));
}

/** The account's current secret, and the previous one while it still signs. */
export async function getWebhookSecret(
  store: Store,
  { caller }: { readonly caller: Caller },
): Promise<WebhookSecret> {
  await recordAccess(store.db, { caller, operation: 'webhookSecret.get' });
  return readWebhookSecret(store, caller.accountId);
}

/** As {@link getWebhookSecret}, without a line in the access log. `db` may be a transaction. */
export async function readWebhookSecret(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  accountId: string,
): Promise<WebhookSecret> {
  const row = await db
    .selectFrom('account')
    .select(['webhook_secret', 'previous_webhook_secret', 'previous_webhook_secret_until'])
    .select(sql<boolean | null>`previous_webhook_secret_until > now()`.as('previous_webhook_secret_valid'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const [current = '', previous = null] = await openWebhookSecrets(vault, { accountId, row });
  const until = previous === null ? null : row.previous_webhook_secret_until;
  return { current, previous, previous_valid_until: until?.toISOString() ?? null };
}

/** Hours for which a secret keeps signing next to its successors. */
const OVERLAP_HOURS = 24;

/** Maximum number of old secrets that sign next to the current one. */
const OLD_SECRET_COUNT_MAX = SIGNING_SECRET_COUNT_MAX - 1;

type RotatedWebhookSecret =
  | { readonly kind: 'rotated'; readonly secret: WebhookSecret }
  /**
   * Nothing changed: the maximum number of old secrets sign, and none may end before its day is over. The number is the
   * seconds until the first ends.
   */
  | { readonly kind: 'too_many_rotations'; readonly retryAfterSeconds: number };

/** Makes `next` the account's secret. The previous one keeps signing for another day. */
export async function rotateWebhookSecret(
  store: Store,
  { caller, next }: { readonly caller: Caller; readonly next: string },
): Promise<RotatedWebhookSecret> {
  const { accountId } = caller;
  return store.db.transaction().execute(async (trx): Promise<RotatedWebhookSecret> => {
    const inside = { db: trx, vault: store.vault };
    await lockSecrets(trx, accountId);
    const retryAfterSeconds = await secondsUntilRoom(trx, accountId);
    if (retryAfterSeconds > 0) return { kind: 'too_many_rotations', retryAfterSeconds };
    await recordAccess(trx, { caller, operation: 'webhookSecret.rotate' });
    await replaceLocked(inside, accountId, next);
    return { kind: 'rotated', secret: await readWebhookSecret(inside, accountId) };
  });
}

/**
 * Without the limit on rotations, so that a start with a new secret in its environment cannot fail because of it; the
 * oldest secrets then end early.
 */
export async function replaceWebhookSecret(inside: Inside, accountId: string, next: string): Promise<void> {
  await lockSecrets(inside.db, accountId);
  await replaceLocked(inside, accountId, next);
}

/** The parts of a store needed inside a transaction. */
interface Inside {
  readonly db: Transaction<Tables>;
  readonly vault: Vault;
}

async function replaceLocked({ db, vault }: Inside, accountId: string, next: string): Promise<void> {
  await sql`
    insert into earlier_webhook_secret (account_id, secret, valid_until)
    select id, previous_webhook_secret, previous_webhook_secret_until from account
    where id = ${accountId} and previous_webhook_secret_until > now()`.execute(db);
  await db
    .updateTable('account')
    .set({
      previous_webhook_secret: (row) => row.ref('webhook_secret'),
      previous_webhook_secret_until: sql<Date>`now() + make_interval(hours => ${OVERLAP_HOURS})`,
      webhook_secret: await vault.encrypt({ accountId }, webhookSecretPlace(accountId), next),
    })
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  await writeEvent(
    { db, vault },
    { type: 'webhook_secret.rotated', accountId, subjectId: accountId, data: {} },
  );
}

/** Otherwise two concurrent rotations would both keep the same secret, and lose the one between them. */
async function lockSecrets(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/** Seconds until fewer than the maximum number of old secrets sign; 0 while fewer do. */
async function secondsUntilRoom(trx: Transaction<Tables>, accountId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from valid_until - now()))::int as seconds
    from (
      select previous_webhook_secret_until as valid_until from account where id = ${accountId}
      union all
      select valid_until from earlier_webhook_secret where account_id = ${accountId}
    ) as old
    where valid_until > now()
    order by valid_until desc
    offset ${OLD_SECRET_COUNT_MAX - 1} limit 1`.execute(trx);
  return rows[0]?.seconds ?? 0;
}
