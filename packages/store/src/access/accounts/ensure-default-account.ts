import { sql } from 'kysely';
import type { Store } from '../../open-store.ts';
import { insertBootstrapKey, replaceBootstrapKey } from '../keys/bootstrap-key.ts';
import { isNewBootstrapValue } from '../keys/is-new-bootstrap-value.ts';
import { insertAccount } from './create-account.ts';
import { ensureTestAccount } from './ensure-test-account.ts';
import { replaceWebhookSecret } from './rotate-webhook-secret.ts';
import { readWebhookSecret } from './webhook-secrets.ts';

/** The account that the first start makes: an issued id like any other, of the nil UUID. */
export const DEFAULT_ACCOUNT_ID = 'acct_00000000000000000000000000';

/** Any number unlikely to be another lock's: one process at a time makes the account. */
const LOCK = 7_164_305;

export interface DefaultAccount {
  /** `BOOTSTRAP_API_KEY`, applied when it changes; undefined to make a key at the first start. */
  readonly apiKey: string | undefined;
  /** `BOOTSTRAP_WEBHOOK_SECRET`, applied when it changes; undefined to keep what is there. */
  readonly webhookSecret: string | undefined;
  /** For an account's first secret, when none is given. */
  readonly createWebhookSecret: () => string;
  /**
   * Gives the text of a first key, when none is given and none is there; null where nobody can be shown it, so that
   * none is made. Called before the key is in the database: what it writes down is found again if this fails.
   */
  readonly createKey: ((mode: 'live' | 'test') => string) | null;
}

/** Keys as texts, to be shown once; null for one that was there, or was not to be made. */
export interface FirstKeys {
  /** Of the account `default`, with every scope. */
  readonly live: string | null;
  /** Of the account `test`, with every scope over test accounts. */
  readonly test: string | null;
}

/**
 * Makes the account `default` and its key with every scope, and beside it an account for tests with its own, if they
 * are not there. A given key or secret that differs from the one given before takes the place of what is there; the
 * secret with the usual overlap. Who gives a key looks after keys, and gets no other.
 */
export async function ensureDefaultAccount(store: Store, given: DefaultAccount): Promise<FirstKeys> {
  return store.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const existing = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', DEFAULT_ACCOUNT_ID)
      .executeTakeFirst();
    const inside = { db: trx, vault: store.vault };
    const { apiKey, webhookSecret, createWebhookSecret, createKey } = given;
    const isNewSecret =
      webhookSecret !== undefined &&
      (await isNewBootstrapValue(inside, 'BOOTSTRAP_WEBHOOK_SECRET', webhookSecret));
    if (!existing) {
      const account = { name: 'default', kind: 'platform', mode: 'live' } as const;
      const secret = { webhookSecret: webhookSecret ?? createWebhookSecret() };
      await insertAccount(trx, store.vault, DEFAULT_ACCOUNT_ID, { ...account, ...secret });
    } else if (isNewSecret) {
      // The one that signs already, under whatever name it came, must not become its own predecessor.
      const { current } = await readWebhookSecret(inside, DEFAULT_ACCOUNT_ID);
      if (current !== webhookSecret) await replaceWebhookSecret(inside, DEFAULT_ACCOUNT_ID, webhookSecret);
    }
    if (apiKey !== undefined) {
      if (await isNewBootstrapValue(inside, 'BOOTSTRAP_API_KEY', apiKey))
        await (existing ? replaceBootstrapKey : insertBootstrapKey)(inside, DEFAULT_ACCOUNT_ID, apiKey);
      return { live: null, test: null };
    }
    if (createKey === null) return { live: null, test: null };
    // One that was revoked counts: a restart undoes no revocation.
    const firstKey = await trx
      .selectFrom('api_key')
      .select('id')
      .where('account_id', '=', DEFAULT_ACCOUNT_ID)
      .where('bootstrap', '=', true)
      .executeTakeFirst();
    const live = firstKey ? null : createKey('live');
    if (live !== null) await insertBootstrapKey(inside, DEFAULT_ACCOUNT_ID, live);
    return { live, test: await ensureTestAccount(inside, { createWebhookSecret, createKey }) };
  });
}
