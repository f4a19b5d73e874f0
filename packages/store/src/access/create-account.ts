import type { Account } from '@insurance-verification/schema';
import type { Kysely, Selectable } from 'kysely';
import type { Vault } from '../encryption/vault.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { insertRow, readRows } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import type { Caller } from './caller.ts';
import { recordAccess } from './record-access.ts';
import { webhookSecretPlace } from './webhook-secrets.ts';

interface NewAccount {
  readonly name: string;
  readonly kind: 'provider' | 'platform';
  readonly mode: 'live' | 'test';
  /** `whsec_…`. */
  readonly webhookSecret: string;
}

type CreatedAccount =
  | { readonly kind: 'created'; readonly account: Account }
  /** A test account's key may only create test accounts. */
  | { readonly kind: 'beyond_reach' };

/** Creates an account with its webhook secret and its own data key. */
export async function createAccount(
  { db, vault }: Store,
  { caller, ...account }: NewAccount & { readonly caller: Caller },
): Promise<CreatedAccount> {
  if (caller.mode === 'test' && account.mode !== 'test') return { kind: 'beyond_reach' };
  return db.transaction().execute(async (trx): Promise<CreatedAccount> => {
    const row = await insertAccount(trx, vault, issueId('acct'), account);
    const { name, kind, mode } = account;
    await recordAccess(trx, {
      caller,
      operation: 'accounts.create',
      subjectId: row.id,
      details: { before: null, after: { name, kind, mode, retention_days: row.retention_days } },
    });
    return { kind: 'created', account: toAccount(row, null) };
  });
}

/** A test account's patients are invented, and not needed a month later. */
const TEST_RETENTION_DAYS = 30;

/** Inserts the row first, since the data key that encrypts its secret refers to it. */
export async function insertAccount(db: Kysely<Tables>, vault: Vault, id: string, account: NewAccount) {
  const { name, kind, mode } = account;
  await insertRow({ db, vault }, 'account', {
    id,
    name: JSON.stringify(name),
    kind,
    mode,
    suspended_at: null,
    allowed_cidrs: null,
    webhook_secret: Buffer.alloc(0),
    retention_days: mode === 'test' ? TEST_RETENTION_DAYS : null,
  });
  return db
    .updateTable('account')
    .set({
      webhook_secret: await vault.encrypt(
        { accountId: id },
        webhookSecretPlace(id),
        account.webhookSecret,
        db,
      ),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @param asked the days of a shorter retention that waits for a second person; null for none. */
export function toAccount(row: Selectable<Tables['account']>, asked: number | null): Account {
  return {
    account_id: row.id,
    name: JSON.parse(row.name) as string,
    kind: row.kind,
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    suspended_at: row.suspended_at?.toISOString() ?? null,
    retention_days: row.retention_days,
    retention_asked: asked,
  };
}

/**
 * The caller with the accounts that it reaches, where it is of a test account and not kept to that one: those whose row
 * has a right MAC, so that a write to the database cannot turn a live account into a test account.
 */
export async function withTestAccounts<Given extends Caller>(store: Store, caller: Given): Promise<Given> {
  const isOfOne = caller.acrossAccounts === false && !caller.ownWork;
  if (caller.mode === 'live' || isOfOne) return caller;
  const accounts = await readRows(store, 'account', { is: { mode: 'test' } });
  return { ...caller, testAccountIds: accounts.map(({ id }) => id) };
}
