import { sql, type Transaction } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';
import {
  readWebhookSecrets,
  SIGNING_SECRET_COUNT_MAX,
  type WebhookSecrets,
  webhookSecretPlace,
} from './webhook-secrets.ts';

/** Hours for which a secret signs beside those after it. */
const OVERLAP_HOURS = 24;

/** Secrets that sign beside the current one. */
const OLD_SECRET_COUNT_MAX = SIGNING_SECRET_COUNT_MAX - 1;

/** Nothing was changed: as many old secrets as may sign do so still, and none may end before its day is over. */
export class TooManyRotationsError extends Error {
  override readonly name = 'TooManyRotationsError';
  /** Until the first of them has ended. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`${OLD_SECRET_COUNT_MAX} old secrets sign still; one ends in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Makes `next` the account's secret; the one before it signs too for a day more.
 * @throws {TooManyRotationsError}
 */
export async function rotateWebhookSecret(
  store: Store,
  caller: Caller,
  next: string,
): Promise<WebhookSecrets> {
  return store.db.transaction().execute(async (trx) => {
    const inside = { db: trx, vault: store.vault };
    await recordAccess(trx, { caller, operation: 'webhookSecret.rotate' });
    await lockSecrets(trx, caller.accountId);
    await assertRoom(trx, caller.accountId);
    await replaceLocked(inside, caller.accountId, next);
    return readWebhookSecrets(inside, caller.accountId);
  });
}

/**
 * As many times as it is called, so that a start whose environment brings another secret does not fail of it; the
 * oldest then end early.
 */
export async function replaceWebhookSecret(inside: Inside, accountId: string, next: string): Promise<void> {
  await lockSecrets(inside.db, accountId);
  await replaceLocked(inside, accountId, next);
}

/** What is needed of a store inside a transaction. */
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
      webhook_secret: await vault.seal({ accountId }, webhookSecretPlace(accountId), next),
    })
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Two rotations at once would else both keep the same secret, and lose the one between them. */
async function lockSecrets(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

async function assertRoom(trx: Transaction<Tables>, accountId: string): Promise<void> {
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
  if (rows[0]) throw new TooManyRotationsError(rows[0].seconds);
}
