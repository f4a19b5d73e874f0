import { Scope } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables.ts';
import { createApiKeyText, displayPrefix } from './api-key-text.ts';
import { insertAccount } from './create-account.ts';
import { isNewBootstrapValue } from './is-new-bootstrap-value.ts';
import { replaceWebhookSecret } from './rotate-webhook-secret.ts';
import { readWebhookSecrets } from './webhook-secrets.ts';

/** The account that the first start makes: an issued id like any other, of the nil UUID. */
export const DEFAULT_ACCOUNT_ID = 'acct_00000000000000000000000000';

/** Any number unlikely to be another lock's: one process at a time makes the account. */
const LOCK = 7_164_305;

export interface DefaultAccount {
  /** `BOOTSTRAP_API_KEY`, applied when it changes; undefined to make a key at the first start. */
  readonly apiKey: string | undefined;
  /** `BOOTSTRAP_WEBHOOK_SECRET`, applied when it changes; undefined to keep what is there. */
  readonly webhookSecret: string | undefined;
  /** For the account's first secret, when none is given. */
  readonly createWebhookSecret: () => string;
}

/**
 * Makes the account `default` and its key with every scope, if they are not there. A given key or secret that differs
 * from the one given before takes the place of what is there; the secret with the usual overlap.
 * @returns the key that was made, to be shown once; null when none was.
 */
export async function ensureDefaultAccount(store: Store, given: DefaultAccount): Promise<string | null> {
  return store.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const existing = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', DEFAULT_ACCOUNT_ID)
      .executeTakeFirst();
    const inside = { db: trx, vault: store.vault };
    const { apiKey, webhookSecret } = given;
    const isNewSecret =
      webhookSecret !== undefined &&
      (await isNewBootstrapValue(inside, 'BOOTSTRAP_WEBHOOK_SECRET', webhookSecret));
    if (!existing) {
      const account = { name: 'default', kind: 'platform', mode: 'live' } as const;
      const secret = { webhookSecret: webhookSecret ?? given.createWebhookSecret() };
      await insertAccount(trx, store.vault, DEFAULT_ACCOUNT_ID, { ...account, ...secret });
    } else if (isNewSecret) {
      // The one that signs already, under whatever name it came, must not become its own predecessor.
      const { current } = await readWebhookSecrets(inside, DEFAULT_ACCOUNT_ID);
      if (current !== webhookSecret) await replaceWebhookSecret(inside, DEFAULT_ACCOUNT_ID, webhookSecret);
    }
    if (apiKey !== undefined) {
      if (await isNewBootstrapValue(inside, 'BOOTSTRAP_API_KEY', apiKey))
        await replaceBootstrapKey(trx, store, apiKey);
      return null;
    }
    if (existing) return null;
    const text = createApiKeyText('live');
    await insertBootstrapKey(trx, store, text);
    return text;
  });
}

async function replaceBootstrapKey(trx: Transaction<Tables>, store: Store, text: string): Promise<void> {
  await trx
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('bootstrap', '=', true)
    .where('revoked_at', 'is', null)
    .where('hash', '!=', store.vault.index('api_key.hash', text))
    .execute();
  await trx
    .updateTable('account')
    .set({ suspended_at: null, allowed_cidrs: null })
    .where('id', '=', DEFAULT_ACCOUNT_ID)
    .execute();
  await insertBootstrapKey(trx, store, text);
}

/**
 * A text that was a key before lives again, with all that a new one has: whoever changes the environment to it means
 * it. It never expires, and its account is open again: it is what an operator gets in with when every other key is gone.
 */
async function insertBootstrapKey(trx: Transaction<Tables>, { vault }: Store, text: string): Promise<void> {
  await trx
    .insertInto('api_key')
    .values({
      id: issueId('key'),
      account_id: DEFAULT_ACCOUNT_ID,
      hash: vault.index('api_key.hash', text),
      prefix: displayPrefix(text),
      name: JSON.stringify('bootstrap'),
      scopes: [...Scope.options],
      bootstrap: true,
    })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({
        revoked_at: null,
        expires_at: null,
        allowed_cidrs: null,
        bootstrap: true,
        account_id: (row) => row.ref('excluded.account_id'),
        scopes: (row) => row.ref('excluded.scopes'),
      }),
    )
    .execute();
}
