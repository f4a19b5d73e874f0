import type { WebhookSecret } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import type { Vault } from '../../encryption/vault.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import type { Caller } from '../caller.ts';
import { recordAccess } from '../record-access.ts';
import { readWebhookSecret, SIGNING_SECRET_COUNT_MAX, webhookSecretPlace } from './webhook-secrets.ts';

/** Hours for which a secret keeps signing beside its successors. */
const OVERLAP_HOURS = 24;

/** Maximum number of old secrets that sign beside the current one. */
const OLD_SECRET_COUNT_MAX = SIGNING_SECRET_COUNT_MAX - 1;

export type RotatedWebhookSecret =
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
      webhook_secret: await vault.seal({ accountId }, webhookSecretPlace(accountId), next),
    })
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
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
