import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { aFinishedRequest, aPlatformCaller, anAccount, hold, intake } from '../../test/ground/stages.ts';
import { recordAccess } from '../access/record-access.ts';
import { applyHeldOutput } from '../index.ts';
import { issueId } from '../issued-id.ts';
import { type AuditSearch, listAudit } from './list-audit.ts';

const { store, sql } = await openTestStores();

// Without it a test account's auditor would see who reads which patients.
test('a test account’s auditor sees only what concerns test accounts', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const [real, made] = [await intake(store, live), await intake(store, trial)];
  const caller = { ...aPlatformCaller('test'), keyId: issueId('key') };
  const { items } = await listAudit(store, { caller, limit: 100 });
  const ids = items.map((line) => line.request_id);
  expect(ids).toContain(made.request_id);
  expect(ids).not.toContain(real.request_id);
  expect(items.every((line) => line.account_id === trial.accountId)).toBe(true);
  expect((await listAudit(store, { caller, limit: 100, requestId: real.request_id })).items).toEqual([]);
  const modes = async (accountMode?: 'live' | 'test') => {
    const found = await listAudit(store, { caller: aPlatformCaller(), limit: 100, accountMode });
    return new Map(found.items.map((line) => [line.request_id, line.account_mode]));
  };
  const every = await modes();
  expect([every.get(real.request_id), every.get(made.request_id)]).toEqual(['live', 'test']);
  expect([...(await modes('test')).values()].every((mode) => mode === 'test')).toBe(true);
  expect((await modes('test')).has(made.request_id)).toBe(true);
  expect((await modes('live')).has(made.request_id)).toBe(false);
});

// Broke: the auditor of a test account saw the key and the account of a live operator who handled its request.
test('who acted from beyond the caller’s reach is not shown, and no filter finds it', async () => {
  const live = await anAccount(store, { kind: 'platform' });
  const trial = await anAccount(store, { mode: 'test' });
  const { request_id: requestId } = await aFinishedRequest(store, trial);
  const heldId = await hold(store, anOutput(await intake(store, live)), { caller: live, payerId: 'other' });
  await applyHeldOutput(store, { caller: live, heldId, requestId });
  await sql(
    `insert into access_log (key_id, account_id, operation, request_id, request_account_ids)
     values ('sandbox', $1, 'x', $2, array[$3])`,
    [live.accountId, requestId, trial.accountId],
  );
  const reader = aPlatformCaller('test');
  const { items } = await listAudit(store, { caller: reader, limit: 100, requestId });
  const shown = items.map((line) => [line.operation, line.key_id, line.account_id, line.subject_id]);
  expect(shown).toEqual([
    ['x', 'sandbox', null, null],
    ['heldOutputs.apply', null, null, null],
    ['verificationOutput.submit', null, null, null],
    ['requests.create', trial.keyId, trial.accountId, null],
  ]);
  const { keyId, accountId } = live;
  const name = 'Ada of the platform';
  await sql(
    `insert into access_log (key_id, account_id, operation, request_id, request_account_ids, actor_name, subject_id)
     values ($1, $2, 'x', $3, array[$5], $4, $2)`,
    [keyId, accountId, requestId, JSON.stringify(name), trial.accountId],
  );
  const named = async (caller: typeof live) => {
    const [line] = (await listAudit(store, { caller, limit: 1, requestId })).items;
    return [line?.name, line?.account_name, line?.subject_name];
  };
  expect([await named(reader), await named(live)]).toEqual([
    [null, null, null],
    [name, 'Clinic', 'Clinic'],
  ]);
  for (const probe of [{ keyId }, { name: 'ada' }, { subjectId: heldId }]) {
    const found = async (caller: typeof live) =>
      (await listAudit(store, { caller, limit: 100, requestId, ...probe })).items.length;
    expect([await found(reader), (await found(live)) > 0]).toEqual([0, true]);
  }
});

// Breaks if a live operator's list of both kinds of requests showed a test account's auditor which live ones it had, or
// how many.
test('of a list of live and test requests a test account’s auditor sees its own part', async () => {
  const [live, trial] = [await anAccount(store), await anAccount(store, { mode: 'test' })];
  const [real, other, made] = [
    await intake(store, live),
    await intake(store, live),
    await intake(store, trial),
  ];
  const operator = await anAccount(store, { kind: 'platform' });
  const requestIds = [real, other, made].map((request) => request.request_id);
  await recordAccess(store.db, { caller: operator, operation: 'requests.search', requestIds });
  const found = async (caller: typeof live, asked: Partial<AuditSearch>) => {
    const { items } = await listAudit(store, { caller, limit: 100, operation: 'requests.search', ...asked });
    return items.map((line) => [line.request_id, line.request_count, line.request_account_id]);
  };
  const tester = aPlatformCaller('test');
  for (const asked of [{}, { requestId: made.request_id }, { accountId: trial.accountId }]) {
    expect(await found(tester, asked)).toEqual([[null, 1, trial.accountId]]);
    expect(await found(operator, asked)).toEqual([[null, 3, null]]);
  }
  for (const asked of [{ requestId: real.request_id }, { accountId: live.accountId }]) {
    expect(await found(tester, asked)).toEqual([]);
    expect(await found(operator, asked)).toEqual([[null, 3, null]]);
  }
});
