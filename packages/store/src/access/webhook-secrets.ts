import { type Kysely, sql } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';

export interface SealedWebhookSecrets {
  webhook_secret: Buffer;
  previous_webhook_secret: Buffer | null;
  /** Null when there is no previous secret. */
  previous_webhook_secret_valid: boolean | null;
}

export interface WebhookSecrets {
  readonly current: string;
  /** Null once the overlap is over. */
  readonly previous: string | null;
  readonly previousValidUntil: Date | null;
}

/** Where an account's secrets are sealed: one place for all, so that a rotation moves the values as they are. */
export const webhookSecretPlace = (accountId: string) => `account.webhook_secret:${accountId}`;

/**
 * Secrets that one webhook is signed with, the current one included, as many as the sender takes. Each makes its
 * signature header 48 bytes longer, and every send dearer.
 */
export const SIGNING_SECRET_COUNT_MAX = 10;

/** Every secret that signs now, the latest first. */
export async function openWebhookSecrets(
  vault: Vault,
  accountId: string,
  row: SealedWebhookSecrets,
  earlier: readonly Buffer[] = [],
): Promise<string[]> {
  const sealed = [row.webhook_secret];
  if (row.previous_webhook_secret && row.previous_webhook_secret_valid)
    sealed.push(row.previous_webhook_secret, ...earlier);
  const opened = await Promise.all(sealed.map((secret) => vault.open(webhookSecretPlace(accountId), secret)));
  const texts = new Set(opened.map((secret) => secret.toString('utf8'))); // one may have come back
  return [...texts].slice(0, SIGNING_SECRET_COUNT_MAX);
}

/**
 * The secrets before the previous ones that sign still, sealed, the latest first, by account. Only of accounts whose
 * previous secret signs need it be asked: it is the last of them to end.
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

export async function getWebhookSecrets(store: Store, caller: Caller): Promise<WebhookSecrets> {
  await recordAccess(store.db, { caller, operation: 'webhookSecret.get' });
  return readWebhookSecrets(store, caller.accountId);
}

/** What these two need of a store; `db` may be a transaction. */
type Secrets = Pick<Store, 'db' | 'vault'>;

export async function readWebhookSecrets({ db, vault }: Secrets, accountId: string): Promise<WebhookSecrets> {
  const row = await db
    .selectFrom('account')
    .select(['webhook_secret', 'previous_webhook_secret', 'previous_webhook_secret_until'])
    .select(sql<boolean | null>`previous_webhook_secret_until > now()`.as('previous_webhook_secret_valid'))
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const [current = '', previous = null] = await openWebhookSecrets(vault, accountId, row);
  return {
    current,
    previous,
    previousValidUntil: previous === null ? null : row.previous_webhook_secret_until,
  };
}
