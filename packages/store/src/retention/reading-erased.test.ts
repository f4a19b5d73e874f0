import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aged } from '../../test/ground/an-aged-request.ts';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  claimFor,
  finish,
  hold,
  intake,
  PAYER_ID,
  submit,
} from '../../test/ground/stages.ts';
import {
  applyHeldOutput,
  compareHeldOutput,
  eraseDue,
  getRequest,
  getResult,
  insertRequests,
  listAttempts,
  listDeliveries,
  listRequests,
  listX12Exchanges,
  redeliver,
  redeliverExhausted,
  redeliverMatching,
  revealRequest,
  searchRequests,
  viewRequest,
} from '../index.ts';

const stores = await openTestStores();
const { store, sql } = stores;
const caller = await anAccount(store);
const operator = aPlatformCaller();
const MEMBER_ID = 'W-ERASED';
const erasedAt = expect.stringMatching(/^\d{4}-/);

const about = aRequest({ patient_info: aPatient({ subscriber_id: MEMBER_ID }) });
const original = await aFinishedRequest(store, caller, about);
await finish(store, await claimFor(store, original.request_id), {
  outcome: 'gone',
  next: { kind: 'exhausted', reason: 'webhook_gone' },
});
const requestId = await aged(stores, original.request_id, 40);
const request = { ...original, request_id: requestId };
const younger = await intake(store, caller, about);
await sql('update account set retention_days = 30 where id = $1', [caller.accountId]);
await eraseDue(store, { limit: 10 });

test('a caller who asks for the data of an erased request learns that it is gone, and no line says that they saw it', async () => {
  const linesOf = () => sql('select from access_log where request_id = $1', [requestId]);
  const before = await linesOf();
  const asking = { caller, requestId };
  const erased = { kind: 'erased' };
  expect(await getRequest(store, asking)).toEqual(erased);
  expect(await getResult(store, asking)).toEqual(erased);
  expect(await revealRequest(store, asking)).toEqual(erased);
  expect(await listAttempts(store, { ...asking, withInternals: true })).toEqual(erased);
  expect(await listX12Exchanges(store, { ...asking, caller: operator })).toEqual(erased);
  expect(await redeliver(store, asking)).toEqual(erased);
  expect(await linesOf()).toEqual(before);
});

test('another account learns nothing of it', async () => {
  const stranger = await anAccount(store);
  expect(await getRequest(store, { caller: stranger, requestId })).toEqual({ kind: 'not_found' });
});

test('lists, its deliveries and its page still show it, without its data', async () => {
  const list = await listRequests(store, { caller, limit: 10 });
  expect(list.items.map((item) => item.request_id)).toEqual([younger.request_id]);
  expect([list.erased, list.unreadableIds]).toEqual([
    [
      {
        request_id: requestId,
        received_timestamp: expect.any(String),
        state: 'error_sending_webhook',
        error_reason: 'webhook_gone',
        erased_at: erasedAt,
      },
    ],
    [],
  ]);
  const search = { caller, routes: [], limit: 10 };
  const found = await searchRequests(store, { ...search, requestId });
  expect(found.items).toMatchObject([
    { request_id: requestId, payer: 'Payer Plan 1', state: 'error_sending_webhook', erased_at: erasedAt },
  ]);
  const viewed = await viewRequest(store, { caller, requestId, routes: [], makesRequests: true });
  expect(viewed).toMatchObject({
    kind: 'found',
    view: {
      erased_at: erasedAt,
      payer: 'Payer Plan 1',
      provider_info: null,
      callback_host: null,
      cpt_code_coverage: [],
      coverages: [],
      revealed: null,
      versions: [{ version: 1 }],
      deliveries: [{ status: 'exhausted', attempts: [{ response_snippet: null }] }],
    },
  });
  expect(await listDeliveries(store, { caller, requestId })).toMatchObject({ kind: 'found' });
});

test('a member id finds it no more', async () => {
  const { items } = await searchRequests(store, { caller, routes: [], limit: 10, memberId: MEMBER_ID });
  expect(items.map((item) => item.request_id)).toEqual([younger.request_id]);
});

test('no redelivery of many takes it, and one of others does not end at it', async () => {
  const since = new Date('2000-01-01T00:00:00Z');
  expect(await redeliverExhausted(store, { caller, since, limit: 10, token: null })).toMatchObject({
    answer: { matching: 0, token: null },
  });
  const counted = await redeliverMatching(store, {
    caller,
    status: 'exhausted',
    since,
    limit: 10,
    token: null,
  });
  expect(counted).toMatchObject({ answer: { matching: 0 } });
});

// Without it the patient's data would come back with a late repeat of its result, to be read by operators.
test('an output that names it is taken and not stored, from any sender', async () => {
  const output = anOutput(request);
  const heldCount = async () => (await sql('select from held_output')).length;
  const before = await heldCount();
  expect(await submit(store, output)).toEqual({ kind: 'erased' });
  const stranger = { caller: null, client: '203.0.113.7' };
  expect(await submit(store, output, { ...stranger, trusted: true })).toEqual({ kind: 'erased' });
  expect(await submit(store, output, { ...stranger, trusted: false })).toEqual({ kind: 'erased' });
  const beside = anOutput(younger, { insurance_data: [anEntry(), anEntry({ request_id: requestId })] });
  expect(await submit(store, beside)).toEqual({ kind: 'erased' });
  expect(await submit(store, beside, { ...stranger, trusted: false })).toEqual({ kind: 'erased' });
  const beyond = { ...aPlatformCaller('test'), testAccountIds: [] };
  expect(await submit(store, output, { caller: beyond })).toEqual({ kind: 'erased' });
  expect(await heldCount()).toBe(before);
});

test('an output held of another request is not applied to it, and not compared with it', async () => {
  const heldId = await hold(store, anOutput({ ...request, request_id: null }));
  expect(await applyHeldOutput(store, { caller: operator, heldId, requestId })).toEqual({ kind: 'erased' });
  const comparing = { caller: operator, heldId, payerIdOf: () => PAYER_ID };
  expect(await compareHeldOutput(store, { ...comparing, requestId })).toEqual({ kind: 'erased' });
});

// Without it a repeat would be answered with a request without a patient, or make the request a second time.
test('a repeat of its post is refused while its key is remembered, with whatever body', async () => {
  const post = (idempotencyKey: string) =>
    insertRequests(store, [{ caller, payerId: PAYER_ID, input: about, idempotencyKey }]);
  const keyed = async (key: string) => {
    const [made] = await post(key);
    if (!made || !('request' in made)) throw new Error('It was not made.');
    const id = made.request.request_id ?? '';
    await submit(store, anOutput(made.request));
    await finish(store, await claimFor(store, id));
    return aged(stores, id, 40);
  };
  const id = await keyed('visit-1');
  await eraseDue(store, { limit: 10 });
  expect(await post('visit-1')).toEqual([{ kind: 'erased' }]);
  expect(await sql('select body_digest from idempotency_key where request_id = $1', [id])).toEqual([
    { body_digest: Buffer.alloc(0) },
  ]);
});
