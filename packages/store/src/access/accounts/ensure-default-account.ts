import { sql } from 'kysely';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import type { Tables } from '../../tables/tables.ts';
import { insertBootstrapKey, replaceBootstrapKey } from '../keys/bootstrap-key.ts';
import { insertAccount } from './create-account.ts';
import { ensureTestAccount } from './ensure-test-account.ts';
import { replaceWebhookSecret } from './rotate-webhook-secret.ts';
import { readWebhookSecret } from './webhook-secrets.ts';

/** The account made by the first start. A regular issued id, from the nil UUID. */
export const DEFAULT_ACCOUNT_ID = 'acct_00000000000000000000000000';

export interface DefaultAccount {
  /** `BOOTSTRAP_API_KEY`, applied when it changes; if undefined, the first start creates a key. */
  readonly apiKey: string | undefined;
  /** `BOOTSTRAP_WEBHOOK_SECRET`, applied when it changes; if undefined, the existing secret stays. */
  readonly webhookSecret: string | undefined;
  /** Creates an account's first secret when none is given. */
  readonly createWebhookSecret: () => string;
  /**
   * Creates the text of a first key when none is given and none exists; null prevents that, where nobody can be shown
   * the key. Called before the key is in the database: what it writes down is found again if this fails.
   */
  readonly createKey: ((mode: 'live' | 'test') => string) | null;
}

/** New keys as texts, to be shown once; null for a key that existed or was not to be made. */
export interface FirstKeys {
  /** The account `default`'s key, with every scope. */
  readonly live: string | null;
  /** The account `test`'s key, with every scope over test accounts. */
  readonly test: string | null;
}

/**
 * Creates the account `default` and its key with every scope, and a test account with its own key, unless they exist. A
 * given key or secret that differs from the previously given one replaces the existing one; a secret with the usual
 * overlap. If a key is given, no other key is created.
 */
export async function ensureDefaultAccount(store: Store, given: DefaultAccount): Promise<FirstKeys> {
  return store.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.defaultAccount}::bigint)`.execute(trx);
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
      // A given secret that already signs, whatever its origin, must not become its own predecessor.
      const { current } = await readWebhookSecret(inside, DEFAULT_ACCOUNT_ID);
      if (current !== webhookSecret) await replaceWebhookSecret(inside, DEFAULT_ACCOUNT_ID, webhookSecret);
    }
    if (apiKey !== undefined) {
      if (await isNewBootstrapValue(inside, 'BOOTSTRAP_API_KEY', apiKey))
        await (existing ? replaceBootstrapKey : insertBootstrapKey)(inside, DEFAULT_ACCOUNT_ID, apiKey);
      return { live: null, test: null };
    }
    if (createKey === null) return { live: null, test: null };
    // A revoked key counts: a restart must not undo a revocation.
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

type Variable = Tables['applied_bootstrap']['variable'];

/**
 * Whether an environment value differs from the last applied one; records it as applied. A restart with the same value
 * changes nothing, even if the key was revoked or the secret rotated since.
 */
async function isNewBootstrapValue(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  variable: Variable,
  value: string,
): Promise<boolean> {
  const noted = await db
    .insertInto('applied_bootstrap')
    .values({ variable, hash: vault.index(`applied_bootstrap.${variable}`, value) })
    .onConflict((conflict) =>
      conflict
        .column('variable')
        .doUpdateSet({ hash: (row) => row.ref('excluded.hash'), applied_at: sql<Date>`now()` })
        .whereRef('applied_bootstrap.hash', '!=', 'excluded.hash'),
    )
    .returning('variable')
    .executeTakeFirst();
  return noted !== undefined;
}
