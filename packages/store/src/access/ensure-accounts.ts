import { Scope } from '@insurance-verification/schema';
import { sql, type Transaction } from 'kysely';
import { pauseMade } from '../events/made-endpoints.ts';
import { issueId } from '../issued-id.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { changeRows, insertRow, overwriteRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { insertAccount } from './create-account.ts';
import { createApiKeyText, displayPrefix } from './find-api-key.ts';
import { recordAccess } from './record-access.ts';
import { readWebhookSecret, replaceWebhookSecret } from './webhook-secrets.ts';

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
interface FirstKeys {
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

/** The test account made by the first start. A regular issued id, from the UUID after the nil one. */
const TEST_ACCOUNT_ID = 'acct_00000000000000000000000001';

/**
 * Creates the account `test`, unless it exists, and its key with every scope for test accounts only. So the reserved
 * member ids work at once, and experiments with the key never reach a payer.
 * @returns the key, to be shown once; null when the account existed.
 */
async function ensureTestAccount(
  inside: Inside,
  given: { readonly createWebhookSecret: () => string; readonly createKey: (mode: 'test') => string },
): Promise<string | null> {
  const { db, vault } = inside;
  const existing = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', TEST_ACCOUNT_ID)
    .executeTakeFirst();
  if (existing) return null;
  await insertAccount(db, vault, TEST_ACCOUNT_ID, {
    name: 'test',
    kind: 'platform',
    mode: 'test',
    webhookSecret: given.createWebhookSecret(),
  });
  const text = given.createKey('test');
  await insertBootstrapKey(inside, TEST_ACCOUNT_ID, text);
  return text;
}

interface Inside {
  readonly db: Transaction<Tables>;
  readonly vault: Store['vault'];
}

/**
 * Revokes the other bootstrap keys of the account `default`, which pauses the endpoints that they made, and reopens the
 * account for this one, also where somebody altered its row: each covered column is set, so its MAC is right again. The audit log records it as
 * `keys.replaceFirst` on the new key, without a caller: whoever does this controls the database or the service's
 * environment.
 */
async function replaceBootstrapKey(inside: Inside, accountId: string, text: string): Promise<void> {
  const { db, vault } = inside;
  const hash = vault.index('api_key.hash', text);
  const now = await readNow(db);
  const revoked = await changeRows(inside, 'api_key', {
    is: { account_id: accountId, bootstrap: true, revoked_at: null },
    where: sql<boolean>`hash <> ${hash}`,
    set: () => ({ revoked_at: now }),
  });
  for (const { id } of revoked) await pauseMade({ db, vault }, id);
  await overwriteRow(inside, 'account', {
    id: accountId,
    kind: 'platform',
    mode: 'live',
    suspended_at: null,
    allowed_cidrs: null,
  });
  const keyId = await insertBootstrapKey(inside, accountId, text);
  await recordAccess(db, { caller: null, operation: 'keys.replaceFirst', subjectId: keyId });
}

/**
 * Inserts a key with every scope. A text that was a key before becomes valid again with the defaults of a new key:
 * changing the environment back to it is deliberate. The key never expires and is bound to no network, because an
 * operator needs it when every other key is gone.
 * @returns the key's id.
 */
async function insertBootstrapKey(inside: Inside, accountId: string, text: string): Promise<string> {
  const hash = inside.vault.index('api_key.hash', text);
  const row = {
    account_id: accountId,
    scopes: [...Scope.options],
    bootstrap: true,
    expires_at: null,
    revoked_at: null,
    allowed_cidrs: null,
  };
  const [known] = await changeRows(inside, 'api_key', { is: { hash }, set: () => row });
  if (known) return known.id;
  await inside.db.deleteFrom('api_key').where('hash', '=', hash).execute(); // one that was altered
  const { id } = await insertRow(inside, 'api_key', {
    ...row,
    id: issueId('key'),
    hash,
    created_by: null,
    made_by: null,
    verify_within: null,
    prefix: displayPrefix(text),
    name: JSON.stringify(text.startsWith('ivk_test_') ? 'first test key' : 'first live key'),
  });
  return id;
}

type ReplacedFirstKey =
  /** The key's text, to be shown once. */
  | { readonly kind: 'replaced'; readonly key: string }
  /** The database has no account `default` yet. */
  | { readonly kind: 'not_found' };

/**
 * Creates another first key, for an operator who lost it but controls the database: the previous one is revoked, and
 * the account `default` is reopened. No other key changes.
 */
export async function replaceFirstKey({ db, vault }: Store): Promise<ReplacedFirstKey> {
  return db.transaction().execute(async (trx): Promise<ReplacedFirstKey> => {
    const account = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', DEFAULT_ACCOUNT_ID)
      .executeTakeFirst();
    if (!account) return { kind: 'not_found' };
    const text = createApiKeyText('live');
    await replaceBootstrapKey({ db: trx, vault }, DEFAULT_ACCOUNT_ID, text);
    return { kind: 'replaced', key: text };
  });
}
