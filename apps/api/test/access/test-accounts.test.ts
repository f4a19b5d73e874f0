import type { AuditList, CreatedApiKey, OutputReceipt } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';
import { aTestAccount, CALLS_ALONE } from './a-test-account.ts';

const service = useService({ env: CALLS_ALONE });
let testKey: string;
let testAccountId: string;
beforeAll(async () => {
  ({ testKey, testAccountId } = await aTestAccount(service));
});

async function aLiveOperator(): Promise<CreatedApiKey> {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  return service.answer('POST', '/keys', { account_id, scopes: ['operate'] });
}

describe.each(transports)('over $name', (transport) => {
  test('a test account’s admin makes test accounts and their keys, and sees them', async () => {
    const options = { key: testKey };
    const made = await transport.call(service, 'accounts.create', { name: 'Sandbox', mode: 'test' }, options);
    const { account_id } = transport.output<{ account_id: string }>(made);
    const key = await transport.call(service, 'keys.create', { account_id, scopes: ['requests'] }, options);
    expect(key.status).toBe(200);
    const listed = await transport.call(service, 'accounts.list', { limit: 100 }, options);
    const { items } = transport.output<{ items: { mode: string; account_id: string }[] }>(listed);
    expect(items.map((account) => account.account_id)).toContain(account_id);
    expect(new Set(items.map(({ mode }) => mode))).toEqual(new Set(['test']));
    const refused = await transport.call(service, 'accounts.create', { name: 'Real' }, options);
    expect([refused.status, refused.json]).toEqual([
      422,
      transport.invalid({
        loc: ['body', 'mode'],
        msg: 'A key of a test account makes test accounts only',
        type: 'value_error',
      }),
    ]);
  });

  test('a test account’s operator sees and settles what concerns test accounts', async () => {
    const own = await aKey(service, ['requests'], testAccountId);
    const request = await aStoredRequest(service, {}, own);
    const stray = { ...anOutput(request, { request_id: `stray ${transport.name}` }) };
    const submitted = await transport.call(service, 'verificationOutput.submit', stray, { key: testKey });
    const { held_id } = transport.output<OutputReceipt>(submitted);
    await service.ask('POST', '/verification-output', { body: anOutput(request), key: null });
    const listed = await transport.call(service, 'heldOutputs.list', { limit: 100 }, { key: testKey });
    const { items } = transport.output<{ items: { held_id: string; request_id: string | null }[] }>(listed);
    expect(items.map((item) => item.held_id)).toContain(held_id);
    expect(items.map((item) => item.request_id)).toContain(request.request_id);
    const named = { held_id, request_id: request.request_id };
    const applied = await transport.call(service, 'heldOutputs.apply', named, { key: testKey });
    expect(transport.output(applied)).toEqual({ status: 'applied', version: 1 });
    const untrusted = { reason: 'untrusted', request_id: request.request_id };
    const dismissed = await transport.call(service, 'heldOutputs.dismissMany', untrusted, { key: testKey });
    expect(transport.output(dismissed)).toEqual({ dismissed: 1, more: false });
  });

  // Without it an operator's experiment could dismiss a live verifier's output along with its own.
  test('an output of a test key and a live one’s equal one are two', async () => {
    const request = await aStoredRequest(service);
    const stray = { ...anOutput(request, { request_id: `same ${transport.name}` }) };
    const ids = [];
    for (const options of [{ key: testKey }, {}]) {
      const answer = await transport.call(service, 'verificationOutput.submit', stray, options);
      ids.push(transport.output<OutputReceipt>(answer).held_id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  // Broke: the audit showed a test key which live key and account had worked on a test account's request.
  test('a live operator’s act on a test account’s request is on record without its name', async () => {
    const { account_id, key_id, key } = await aLiveOperator();
    const { request_id } = await aStoredRequest(
      service,
      {},
      await aKey(service, ['requests'], testAccountId),
    );
    const closing = { request_id, reason: 'withdrawn' };
    expect((await transport.call(service, 'requests.close', closing, { key })).status).toBe(200);
    const list = async (filter: object, options = {}) => {
      const answer = await transport.call(service, 'audit.list', { request_id, ...filter }, options);
      return transport.output<AuditList>(answer).items;
    };
    const [line] = await list({}, { key: testKey });
    expect(line).toMatchObject({ operation: 'requests.close', request_id, key_id: null, account_id: null });
    expect(await list({ key_id }, { key: testKey })).toEqual([]);
    expect(await list({ key_id })).toMatchObject([{ operation: 'requests.close', key_id, account_id }]);
  });

  // Without it what clinics try out would be among what waits of patients, and call operators by the numbers of the pages.
  test('a live operator keeps lists to live or to test accounts, and counts live ones only', async () => {
    const { key } = await aLiveOperator();
    const own = await aKey(service, ['requests'], testAccountId);
    const tried = await aStoredRequest(service, {}, own);
    const real = await aStoredRequest(service, {});
    for (const request of [tried, real])
      await service.ask('POST', '/verification-output', {
        body: anOutput(request, { notes: transport.name }),
        key: null,
      });
    const modesIn = async (
      operation: 'requests.search' | 'heldOutputs.list',
      account_mode: 'live' | 'test',
    ) => {
      const answer = await transport.call(service, operation, { account_mode, limit: 100 }, { key });
      const { items } = transport.output<{ items: { account_mode: string | null }[] }>(answer);
      // An output about no known request is of no account.
      return new Set(items.flatMap((item) => item.account_mode ?? []));
    };
    for (const operation of ['requests.search', 'heldOutputs.list'] as const)
      for (const mode of ['live', 'test'] as const)
        expect(await modesIn(operation, mode), operation).toEqual(new Set([mode]));
    const stats = async (of: string) =>
      transport.output<{ open_count: number }>(
        await transport.call(service, 'heldOutputs.stats', {}, { key: of }),
      );
    const live = await stats(key);
    await service.ask('POST', '/verification-output', {
      body: anOutput(tried, { notes: `again ${transport.name}` }),
      key: null,
    });
    expect(await stats(key)).toEqual(live);
  });

  test('a test account’s operator reads and closes any test account’s request', async () => {
    const { account_id } = await anAccount(service, { mode: 'test' });
    const patient = { subscriber_id: 'TEST-NEVER', dob: '1984-05-17', name: 'Jane Doe', address: null };
    const key = await aKey(service, ['requests'], account_id);
    const { request_id } = await aStoredRequest(service, { patient_info: patient }, key);
    for (const operation of ['requests.get', 'requests.attempts', 'requests.deliveries'] as const)
      expect((await transport.call(service, operation, { request_id }, { key: testKey })).status).toBe(200);
    const closing = { request_id, reason: 'withdrawn' };
    expect((await transport.call(service, 'requests.close', closing, { key: testKey })).status).toBe(200);
  });
});
