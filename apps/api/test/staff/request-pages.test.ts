import type {
  OutputReceipt,
  RequestReaderList,
  RequestSummaryList,
  RequestView,
  ResponseModel,
} from '@insurance-verification/schema';
import { aPatient } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { consoleTransport, transports } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const PATIENT = aPatient({ subscriber_id: 'W-MASKED-1', dob: '1984-05-17', name: 'Jane Masked' });
const VALUES = /W-MASKED-1|1984-05-17|Jane Masked|1 Main Street/;

/** A finished request of the account `default`, whose verifier wrote the patient's name into a note. */
async function aFinishedRequest(key?: string) {
  const request = await aStoredRequest(service, { patient_info: PATIENT }, key);
  await service.answer(
    'POST',
    '/verification-output',
    anOutput(request, { notes: 'Jane Masked is covered' }),
  );
  return { request_id: request.request_id };
}

const call = (
  operation: Parameters<typeof consoleTransport.call>[1],
  input: object,
  { asked }: TestSession,
) => consoleTransport.call(service, operation, { ...input }, asked);

/** What a person did with a request, by the access log. */
async function linesOf({ staff_id }: TestSession, request_id: string): Promise<string[]> {
  const lines = await rows<{ operation: string }>(
    service.databaseUrl,
    'select operation from access_log where key_id = $1 and $2 = any (array[request_id] || request_ids) order by id',
    [staff_id, request_id],
  );
  return lines.map(({ operation }) => operation);
}

// 45 CFR 164.502(b), the minimum necessary: most who open a request's page need its timeline, not its patient.
describe.each(['viewer', 'operator'] as const)('a %s, who looks after requests of others', (role) => {
  test('sees no value of the patient before asking, and both are on record', async () => {
    const request = await aFinishedRequest();
    const person = await aSession(service, { roles: [role] });
    const viewed = await call('requests.view', request, person);
    expect(viewed.status).toBe(200);
    expect(viewed.text).not.toMatch(VALUES);
    const view = consoleTransport.output<RequestView>(viewed);
    expect(view).toMatchObject({ revealed: null, state: 'complete', callback_host: '127.0.0.1:9' });
    expect(view.coverages).toHaveLength(1);
    expect(view.versions).toMatchObject([{ version: 1, outcome: 'complete', held_id: null }]);
    expect(view.attempts).toMatchObject([{ outcome: 'succeeded', result_version: 1, provenance: [] }]);
    expect(view.deliveries).toHaveLength(1);
    const revealed = consoleTransport.output<ResponseModel>(await call('requests.reveal', request, person));
    expect(revealed.request.input.patient_info).toEqual(PATIENT);
    expect(revealed.insurance_data).toMatchObject([{ notes: 'Jane Masked is covered' }]);
    expect(await linesOf(person, request.request_id)).toEqual(['requests.view', 'requests.reveal']);
  });
});

// Who posts requests named these patients itself, and reads their results all day.
test('a requester sees the patients of its account’s requests at once, and that is on record', async () => {
  const request = await aFinishedRequest();
  const requester = await aSession(service, { roles: ['requester'] });
  const view = consoleTransport.output<RequestView>(await call('requests.view', request, requester));
  expect(view.revealed?.request.input.patient_info).toEqual(PATIENT);
  expect(view.revealed?.insurance_data).toHaveLength(1);
  expect(await linesOf(requester, request.request_id)).toEqual(['requests.view']);
});

test('who posts for one account and looks after others sees only the patients of the first', async () => {
  const [own, another] = [await aFinishedRequest(), await aFinishedRequest(await aKey(service))];
  const both = await aSession(service, { roles: ['requester', 'operator'] });
  const isShown = async (request: object) =>
    consoleTransport.output<RequestView>(await call('requests.view', request, both)).revealed !== null;
  expect([await isShown(own), await isShown(another)]).toEqual([true, false]);
});

test('a search in the console answers no patient, and is on record under the person', async () => {
  const { request_id } = await aFinishedRequest();
  const operator = await aSession(service, { roles: ['operator'] });
  const found = await call('requests.search', { subscriber_id: 'w-masked-1' }, operator);
  expect(consoleTransport.output<RequestSummaryList>(found).items.map((item) => item.request_id)).toContain(
    request_id,
  );
  expect(found.text).not.toMatch(VALUES);
  expect(await linesOf(operator, request_id)).toEqual(['requests.search']);
});

// What a verifier has not leased today they cannot open, in any of its forms.
test('a verifier opens nothing of a request’s page, and reads only a request that they lease', async () => {
  const { request_id } = await aStoredRequest(service);
  const verifier = await aSession(service, { roles: ['verifier'] });
  const statuses = async () => {
    const asked = ['requests.view', 'requests.reveal', 'requests.search', 'requests.readers'] as const;
    const refused = await Promise.all(asked.map((operation) => call(operation, { request_id }, verifier)));
    const got = await call('requests.get', { request_id }, verifier);
    return [...refused, got].map(({ status }) => status);
  };
  expect(await statuses()).toEqual([403, 403, 403, 403, 404]);
  await call('work.claimRequest', { request_id, channels: ['manual_phone_call'] }, verifier);
  expect(await statuses()).toEqual([403, 403, 403, 403, 200]);
  expect(await linesOf(verifier, request_id)).toEqual(['work.claimRequest', 'requests.get']);
});

test('an operator and an auditor see who read a request, how often and by name', async () => {
  const { request_id } = await aFinishedRequest();
  const reader = await aSession(service, { roles: ['operator'], name: 'Grace Reader' });
  await call('requests.view', { request_id }, reader);
  await call('requests.view', { request_id }, reader);
  await call('requests.reveal', { request_id }, reader);
  for (const roles of [['operator'], ['auditor']] as const) {
    const person = await aSession(service, { roles: [...roles] });
    const listed = await call('requests.readers', { request_id }, person);
    const { items } = consoleTransport.output<RequestReaderList>(listed);
    const own = items.filter(({ key_id }) => key_id === reader.staff_id);
    expect(own).toEqual([
      {
        key_id: reader.staff_id,
        name: 'Grace Reader',
        operation: 'requests.reveal',
        count: 1,
        first_at: expect.any(String),
        last_at: expect.any(String),
      },
      expect.objectContaining({ operation: 'requests.view', count: 1 }),
    ]);
    expect(await linesOf(person, request_id)).toEqual(['requests.readers']);
  }
});

describe.each(transports)('over $name', (transport) => {
  // A held output may be of another patient, and a note says what an operator thought of it.
  test('the held outputs of a request are shown without what they say, and to operators by whom', async () => {
    const accounts = [await anAccount(service), await anAccount(service)] as const;
    const keys = [
      await aKey(service, ['requests'], accounts[0].account_id),
      await aKey(service, ['requests'], accounts[1].account_id),
    ] as const;
    const operator = await aKey(service, ['operate']);
    const requests = [
      await aStoredRequest(service, { patient_info: PATIENT }, keys[0]),
      await aStoredRequest(service, { patient_info: PATIENT }, keys[1]),
    ] as const;
    const held: string[] = [];
    for (const request of requests) {
      await service.answer('POST', '/verification-output', anOutput(request));
      const correction = anOutput(request, { notes: 'Jane Masked is not covered' });
      held.push(
        (await service.answer<OutputReceipt>('POST', '/verification-output', correction)).held_id ?? '',
      );
    }
    const note = 'Jane Masked called';
    await transport.call(service, 'heldOutputs.dismiss', { held_id: held[1], note }, { key: operator });
    const viewed = async (index: 0 | 1, key: string) => {
      const { request_id } = requests[index];
      return transport.call(service, 'requests.view', { request_id }, { key });
    };
    const heldOf = (answer: Awaited<ReturnType<typeof viewed>>) =>
      transport.output<RequestView>(answer).held_outputs;
    const shown = {
      reason: 'superseding',
      received_at: expect.any(String),
      received_by: null,
      version: null,
      settled_by: null,
    };
    const waits = { ...shown, held_id: held[0], status: 'held', settled_at: null, noted: false };
    const dismissed = {
      ...shown,
      held_id: held[1],
      status: 'dismissed',
      settled_at: expect.any(String),
      noted: true,
    };
    const [own, others] = [await viewed(0, keys[0]), await viewed(1, keys[1])];
    expect([heldOf(own), heldOf(others)]).toEqual([[waits], [dismissed]]);
    expect(own.text + others.text).not.toMatch(/not covered|called/);
    expect((await viewed(1, keys[0])).status).toBe(404);
    const looked = await viewed(1, operator);
    expect(looked.text).not.toMatch(VALUES);
    const by = expect.stringMatching(/^key_/);
    expect(heldOf(looked)).toEqual([{ ...dismissed, received_by: by, settled_by: by }]);
  });

  test('a caller without the request gets the same 404 from each, of any account', async () => {
    const { account_id } = await anAccount(service);
    const key = await aKey(service, ['requests'], account_id);
    const { request_id } = await aFinishedRequest();
    for (const id of [request_id, 'req_01jdabcdefghjkmnpqrstvwxyz', 'x'])
      for (const operation of ['requests.view', 'requests.reveal'] as const) {
        const answer = await transport.call(service, operation, { request_id: id }, { key });
        expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
      }
    const operator = await aKey(service, ['operate']);
    const answer = await transport.call(service, 'requests.readers', { request_id: 'x' }, { key: operator });
    expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
  });

  test('the payers are listed by id and name', async () => {
    const answer = await transport.call(service, 'payers.list', {}, { key: await aKey(service) });
    const { items } = transport.output<{ items: { payer_id: string; name: string }[] }>(answer);
    expect(items).toHaveLength(4);
    expect(items[0]).toEqual({ payer_id: expect.any(String), name: expect.any(String) });
  });
});
