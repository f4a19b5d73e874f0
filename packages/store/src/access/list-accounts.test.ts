import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { readPages } from '../../test/ground/read-pages.ts';
import { anAccount } from '../../test/ground/stages.ts';
import { createAccount, createApiKey, listAccounts, listApiKeys } from '../index.ts';

const stores = await openTestStores();
const { store, alter } = stores;

// Without it an operator would miss accounts, or see one twice.
test('accounts come newest first, page by page, each once', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const made: string[] = [operator.accountId];
  for (let count = 0; count < 6; count += 1) made.unshift((await anAccount(store)).accountId);
  const pages = await readPages(3, (page) => listAccounts(store, { caller: operator, ...page }));
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(pages.flat().map((account) => account.account_id)).toEqual(made);
  expect(await accessLines(stores, operator)).toEqual(pages.map(() => ['accounts.list', null]));
});

// Without it an account could show another's name or mode.
test('an account is shown as it was made, its secret is not', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const secret = 'whsec_c2VjcmV0';
  const account = { name: 'a\0\ud800', kind: 'provider', mode: 'live', webhookSecret: secret } as const;
  const made = await createAccount(store, { caller: operator, ...account });
  if (made.kind !== 'created') throw new Error(made.kind);
  expect(made.account).toEqual({
    account_id: expect.stringMatching(/^acct_/),
    name: 'a\0\ud800',
    kind: 'provider',
    mode: 'live',
    created_at: expect.any(String),
    suspended_at: null,
    retention_days: null,
    retention_asked: null,
  });
  const { items } = await listAccounts(store, { caller: operator, limit: 1 });
  expect(items).toEqual([made.account]);
  expect(await accessLines(stores, operator)).toEqual([
    ['accounts.create', null],
    ['accounts.list', null],
  ]);
});

// Without it an operator would miss a key that must be revoked.
test('keys come newest first, page by page, revoked ones too', async () => {
  const operator = await anAccount(store, { kind: 'platform' });
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const created = await createApiKey(store, {
      caller: operator,
      accountId: operator.accountId,
      scopes: ['requests'],
      name: null,
      expiresAt: null,
    });
    if (created.kind === 'created') made.unshift(created.key.key_id);
  }
  await alter('update api_key set revoked_at = now() where id = $1', [made[2]]);
  const pages = await readPages(2, (page) => listApiKeys(store, { caller: operator, ...page }));
  expect(pages.flat().map((key) => key.key_id)).toEqual(made);
  expect(pages.flat().filter((key) => key.revoked_at !== null)).toHaveLength(1);
  expect(pages.flat().every((key) => !('key' in key) && !('hash' in key))).toBe(true);
});
