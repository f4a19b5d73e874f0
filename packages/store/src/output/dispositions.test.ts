import { aPatient, aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { anEntry } from '../../test/ground/an-entry.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  claimDue,
  claimFor,
  intake,
  PAYER_ID,
  submit,
} from '../../test/ground/stages.ts';
import { theRequest, theResult, theDeliveries } from '../../test/ground/the-stored.ts';
import { EVERYWHERE } from '../access/reach.ts';
import { insertRequests, listHeldOutputs } from '../index.ts';
import { lockRequest } from '../intake/lock-request.ts';
import { issueId } from '../issued-id.ts';

const stores = await openTestStores();
const { store, rival, open, sql } = stores;
const caller = await anAccount(store);

const webhookOf = async (requestId: string): Promise<unknown> =>
  JSON.parse((await claimFor(store, requestId)).message?.body.toString('utf8') ?? '');

// Without it a verified request would stay pending, or its receiver would get nothing.
test('the first result is applied as version 1 and queued for the receiver', async () => {
  const request = await intake(store, caller);
  const output = anOutput(request);
  expect(await submit(store, output)).toEqual({ kind: 'applied', version: 1 });
  const shown = { ...request, state: 'complete', error_reason: null };
  expect(await theRequest(store, caller, request.request_id)).toEqual(shown);
  expect(await theResult(store, caller, request.request_id)).toEqual({
    request: shown,
    insurance_data: output.insurance_data,
  });
  expect(await theDeliveries(store, caller, request.request_id)).toMatchObject([
    { version: 1, status: 'pending', attempts: [] },
  ]);
  expect(await webhookOf(request.request_id)).toEqual({
    request: shown,
    insurance_data: output.insurance_data,
  });
});

// Without it any submitter could redirect a result, or alter the request that the receiver sent.
test('the receiver gets the request as it was stored, only the finding is the verifier’s', async () => {
  const request = await intake(
    store,
    caller,
    aRequest({ patient_info: aPatient({ name: 'Jane Roe' }), callback_url: 'https://receiver.example/mine' }),
  );
  const output = anOutput(request, {
    input: aRequest({
      patient_info: aPatient({ name: 'Someone Else' }),
      callback_url: 'https://attacker.example/',
    }),
  });
  await submit(store, {
    ...output,
    request: { ...output.request, received_timestamp: '1999-01-01T00:00:00Z' },
  });
  const claimed = await claimFor(store, request.request_id);
  expect(claimed.message?.callbackUrl).toBe('https://receiver.example/mine');
  expect(JSON.parse(claimed.message?.body.toString('utf8') ?? '')).toMatchObject({
    request: { input: request.input, received_timestamp: request.received_timestamp },
  });
});

// Without it a failed verification would be sent as a successful one, or never.
test('a failed verification is delivered with its reason', async () => {
  const request = await intake(store, caller);
  const output = anOutput(request, {
    state: 'error_verifying',
    error_reason: 'member_not_found',
    insurance_data: [],
  });
  expect(await submit(store, output)).toEqual({ kind: 'applied', version: 1 });
  expect(await webhookOf(request.request_id)).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'member_not_found' },
    insurance_data: [],
  });
});

// Without it the reason of an upstream's own webhook failure would show as ours.
test('an upstream that could not send its webhook had finished', async () => {
  const request = await intake(store, caller);
  await submit(
    store,
    anOutput(request, { state: 'error_sending_webhook', error_reason: 'upstream_webhook' }),
  );
  expect(await theRequest(store, caller, request.request_id)).toMatchObject({
    state: 'complete',
    error_reason: null,
  });
});

// Without it a verifier's retry would send the receiver a second webhook.
test('the same result again changes nothing', async () => {
  const request = await intake(store, caller);
  await submit(store, anOutput(request));
  expect(await submit(store, anOutput(request))).toEqual({ kind: 'unchanged', version: 1 });
  expect(await submit(store, anOutput(request, { state: 'error_sending_webhook' }))).toEqual({
    kind: 'unchanged',
    version: 1,
  });
  expect(await theDeliveries(store, caller, request.request_id)).toHaveLength(1);
});

// Without it the last submitter would overwrite what the receiver got.
test('another result is held and overwrites nothing', async () => {
  const request = await intake(store, caller);
  await submit(store, anOutput(request));
  const before = await theResult(store, caller, request.request_id);
  const again = await submit(store, anOutput(request, { notes: 'a correction' }));
  expect(again).toMatchObject({ kind: 'held', reason: 'superseding' });
  expect(await theResult(store, caller, request.request_id)).toEqual(before);
  expect(await theDeliveries(store, caller, request.request_id)).toHaveLength(1);
});

// Without it an output for another system's request would be lost, or applied to a wrong one.
test.each([null, '', 'their-id-7', '\0', issueId('req'), issueId('msg')])(
  'an output for %j is held unmatched',
  async (requestId) => {
    const request = await intake(store, caller);
    expect(await submit(store, anOutput(request, { request_id: requestId }))).toMatchObject({
      kind: 'held',
      reason: 'unmatched',
    });
    expect((await theRequest(store, caller, request.request_id)).state).toBe('pending');
  },
);

// Without it a result for another patient, payer or provider would reach the receiver.
test('an output for another patient or payer is held', async () => {
  const request = await intake(store, caller);
  const anonymous = anEntry({ patient_info: { subscriber_id: 'X', dob: '1999-09-09' } });
  const mismatch = { kind: 'held', reason: 'input_mismatch' };
  expect(await submit(store, anOutput(request, { insurance_data: [anonymous] }))).toMatchObject(mismatch);
  expect(await submit(store, anOutput(request), { payerId: 'plan-2' })).toMatchObject(mismatch);
  expect((await theRequest(store, caller, request.request_id)).state).toBe('pending');
});

// Without it an anonymous output would reach the receiver although the service trusts only keys.
test('an untrusted output is held with the request it names', async () => {
  const request = await intake(store, caller);
  const held = await submit(store, anOutput(request), { trusted: false, caller: null });
  expect(held).toMatchObject({ kind: 'held', reason: 'untrusted' });
  expect(
    await sql('select reason, received_by from held_output where named_request_id = $1', [
      request.request_id,
    ]),
  ).toEqual([{ reason: 'untrusted', received_by: null }]);
});

// Without it a progress report would be sent as a result, or a row per report would fill the disk.
test('progress is kept, the latest only, and sends nothing', async () => {
  const request = await intake(store, caller);
  const read = async () => {
    const [row] = await sql<{ progress: Buffer; progress_at: Date }>(
      'select progress, progress_at from request where id = $1',
      [request.request_id],
    );
    const place = `request.progress:${request.request_id}`;
    return store.vault.decryptJson(caller, place, row?.progress ?? Buffer.alloc(0));
  };
  expect(await submit(store, anOutput(request, { state: 'pending', notes: 'calling' }))).toEqual({
    kind: 'progress',
  });
  expect(await read()).toEqual([anEntry({ notes: 'calling' })]);
  expect(await submit(store, anOutput(request, { state: 'pending', notes: 'on hold' }))).toEqual({
    kind: 'progress',
  });
  expect(await read()).toEqual([anEntry({ notes: 'on hold' })]);
  await expect(theResult(store, caller, request.request_id)).rejects.toThrow('not_ready');
  expect(await theDeliveries(store, caller, request.request_id)).toEqual([]);
});

// Without it a late report of progress would reopen a finished request.
test('progress on a finished request changes nothing', async () => {
  const request = await aFinishedRequest(store, caller);
  const before = await sql('select to_jsonb(request)::text from request where id = $1', [request.request_id]);
  expect(await submit(store, anOutput(request, { state: 'pending' }))).toEqual({
    kind: 'unchanged',
    version: 1,
  });
  expect(
    await sql('select to_jsonb(request)::text from request where id = $1', [request.request_id]),
  ).toEqual(before);
});

// Without it strings that Postgres text cannot hold would be lost or changed on the way to the receiver.
test('odd strings reach the receiver exactly', async () => {
  const odd = 'a\0b\ud800\u202e🦷';
  const request = await intake(store, caller, aRequest({ patient_info: aPatient({ name: odd }) }));
  const output = anOutput(request, { insurance_data: [anEntry({ notes: odd, person_uuid: odd })] });
  await submit(store, output);
  expect(await webhookOf(request.request_id)).toMatchObject({
    request: { input: { patient_info: { name: odd } } },
    insurance_data: [{ notes: odd, person_uuid: odd }],
  });
});

// Without it a burst of results for a new account would exhaust the pool of another process, and all would time out.
test('more outputs than connections, for an account this process has not seen, are all applied', async () => {
  const small = await open({ connectionCountMax: 3 });
  const late = await anAccount(store);
  const list = Array.from({ length: 12 }, () => ({
    caller: late,
    payerId: PAYER_ID,
    input: aRequest(),
    idempotencyKey: null,
  }));
  const requests = (await insertRequests(store, list)).flatMap((inserted) =>
    inserted.kind === 'created' ? [inserted.request] : [],
  );
  const answers = await Promise.all(requests.map((request) => submit(small, anOutput(request))));
  expect(answers).toEqual(requests.map(() => ({ kind: 'applied', version: 1 })));
});

// Without it the first attempt would be immediate where the schedule says later.
test('the first attempt is due after the first step of the schedule', async () => {
  const delayed = await open({ firstDeliveryDelaySeconds: 3_600 });
  const request = await intake(store, caller);
  await submit(delayed, anOutput(request));
  const claimed = await claimDue(store, 1_000);
  expect(claimed.some((delivery) => delivery.requestId === request.request_id)).toBe(false);
  const [delivery] = await theDeliveries(store, caller, request.request_id);
  expect(Date.parse(delivery?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(3_500_000);
});

// Broke: with VERIFICATION_OUTPUT_TRUST=keyed anyone who knew an id could delay its verifier with a flood.
test('an untrusted output is held while another holds the request’s lock', async () => {
  const request = await intake(store, caller);
  await rival.db.transaction().execute(async (trx) => {
    await lockRequest(trx, request.request_id, EVERYWHERE);
    const held = await submit(store, anOutput(request), { trusted: false, caller: null });
    expect(held).toMatchObject({ kind: 'held', reason: 'untrusted' });
  });
  const { items } = await listHeldOutputs(store, { caller, limit: 1 });
  expect(items).toMatchObject([{ reason: 'untrusted', request_id: request.request_id }]);
});
