import { sql } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';

/** Hours for which the previous secret signs beside the current one after a rotation. */
const OVERLAP_HOURS = 24;

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

/** Where an account's secret is sealed. Both columns share it, so that a rotation moves the value as it is. */
export const webhookSecretPlace = (accountId: string) => `account.webhook_secret:${accountId}`;

/** Every secret that signs now, the current one first. */
export async function openWebhookSecrets(
  vault: Vault,
  accountId: string,
  row: SealedWebhookSecrets,
): Promise<string[]> {
  const sealed = [row.webhook_secret];
  if (row.previous_webhook_secret && row.previous_webhook_secret_valid)
    sealed.push(row.previous_webhook_secret);
  const opened = await Promise.all(sealed.map((secret) => vault.open(webhookSecretPlace(accountId), secret)));
  return opened.map((secret) => secret.toString('utf8'));
}

export async function getWebhookSecrets(store: Store, caller: Caller): Promise<WebhookSecrets> {
  await recordAccess(store.db, { caller, operation: 'webhookSecret.get' });
  return readWebhookSecrets(store, caller.accountId);
}

/** Makes `next` the account's secret; the one before it signs too for a day more. */
export async function rotateWebhookSecret(
  store: Store,
  caller: Caller,
  next: string,
): Promise<WebhookSecrets> {
  return store.db.transaction().execute(async (trx) => {
    const inside = { db: trx, vault: store.vault };
    await recordAccess(trx, { caller, operation: 'webhookSecret.rotate' });
    await replaceWebhookSecret(inside, caller.accountId, next);
    return readWebhookSecrets(inside, caller.accountId);
  });
}

/** What these two need of a store; `db` may be a transaction. */
type Secrets = Pick<Store, 'db' | 'vault'>;

export async function replaceWebhookSecret(
  { db, vault }: Secrets,
  accountId: string,
  next: string,
): Promise<void> {
  await db
    .updateTable('account')
    .set({
      previous_webhook_secret: (row) => row.ref('webhook_secret'),
      previous_webhook_secret_until: sql<Date>`now() + make_interval(hours => ${OVERLAP_HOURS})`,
      webhook_secret: await vault.seal({ accountId }, webhookSecretPlace(accountId), next),
    })
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

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
