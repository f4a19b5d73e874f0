import type {
  DoneWorkList,
  RequestModel,
  ResponseModel,
  VerificationAttemptList,
  WorkItemList,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';

const service = useService({ env: BEHIND_A_PROXY });

const READS = ['requests.get', 'requests.attempts'] as const;

/** The statuses that a person gets on opening the request. */
async function opens({ asked }: TestSession, { request_id }: RequestModel): Promise<number[]> {
  const answers = await Promise.all(
    READS.map((operation) => consoleTransport.call(service, operation, { request_id }, asked)),
  );
  return answers.map(({ status }) => status);
}

async function lease({ asked }: TestSession, { request_id }: RequestModel): Promise<string> {
  const input = { request_id, channels: ['manual_phone_call'] };
  const answer = await consoleTransport.call(service, 'work.claimRequest', input, asked);
  return consoleTransport.output<WorkItemList['items'][number]>(answer).lease_token;
}

// 45 CFR 164.502(b), the minimum necessary: a verifier sees only patients that they work for.
test('a verifier opens what they lease, and what they worked on within a day', async () => {
  const [verifier, colleague] = [
    await aSession(service, { roles: ['verifier'] }),
    await aSession(service, { roles: ['verifier'] }),
  ];
  const request = await aStoredRequest(service);
  expect(await opens(verifier, request)).toEqual([404, 404]);
  const lease_token = await lease(verifier, request);
  expect(await opens(verifier, request)).toEqual([200, 200]);
  expect(await opens(colleague, request)).toEqual([404, 404]);
  const given = { request_id: request.request_id, lease_token };
  expect((await consoleTransport.call(service, 'work.release', given, verifier.asked)).status).toBe(200);
  expect(await opens(verifier, request)).toEqual([200, 200]);
  await rows(
    service.databaseUrl,
    `update verification_attempt set ended_at = ended_at - interval '1 day' where request_id = $1`,
    [request.request_id],
  );
  expect(await opens(verifier, request)).toEqual([404, 404]);
});

// Broke: what a verifier had submitted was gone with the lease, so a call back about it met an empty desk.
test('a verifier lists what they did today, and reads each for a day, with its webhook’s state', async () => {
  const [verifier, colleague] = [
    await aSession(service, { roles: ['verifier'] }),
    await aSession(service, { roles: ['verifier'] }),
  ];
  const [answered, given] = [await aStoredRequest(service), await aStoredRequest(service)];
  const call = (operation: OperationName, input: object, { asked }: TestSession) =>
    consoleTransport.call(service, operation, { ...input }, asked);
  const { request_id } = answered;
  const insurance_data = anOutput(answered).insurance_data.map((coverage) => ({
    ...coverage,
    verification_source: 'manual_phone_call' as const,
  }));
  const submitted = { request_id, lease_token: await lease(verifier, answered), insurance_data };
  expect((await call('work.submit', submitted, verifier)).status).toBe(200);
  const failed = { request_id: given.request_id, lease_token: await lease(verifier, given) };
  const reason = { error_reason: 'member_not_found' };
  expect((await call('work.fail', { ...failed, ...reason }, verifier)).status).toBe(200);
  const done = async (session: TestSession) =>
    consoleTransport.output<DoneWorkList>(await call('work.done', {}, session)).items;
  expect(await done(verifier)).toMatchObject([
    { request_id: given.request_id, outcome: 'failed', ...reason, patient_initials: 'J. D.' },
    { request_id, outcome: 'succeeded', error_reason: null, result_version: 1, delivery: 'pending' },
  ]);
  expect(await done(colleague)).toEqual([]);
  const read = async (session: TestSession) =>
    (await call('requests.result', { request_id }, session)).status;
  const result = await call('requests.result', { request_id }, verifier);
  expect(consoleTransport.output<ResponseModel>(result)).toMatchObject({
    request: { input: answered.input },
    insurance_data: [{ plan_info: insurance_data[0]?.plan_info }],
  });
  expect(await read(colleague)).toBe(404);
  const lines = await rows<{ operation: string; about: string | string[] }>(
    service.databaseUrl,
    `select operation, coalesce(to_jsonb(request_id), to_jsonb(request_ids)) as about from access_log
     where key_id = $1 and operation in ('work.done', 'requests.result') order by id`,
    [verifier.staff_id],
  );
  expect(lines).toEqual([
    { operation: 'work.done', about: [given.request_id, request_id] },
    { operation: 'requests.result', about: request_id },
  ]);
  await rows(
    service.databaseUrl,
    `update verification_attempt set ended_at = ended_at - interval '1 day' where key_id = $1`,
    [verifier.staff_id],
  );
  expect([await done(verifier), await read(verifier)]).toEqual([[], 404]);
});

test('a verifier’s key opens what it leases and nothing else, of its own account either', async () => {
  const key = await aKey(service, ['verify']);
  const mine = await aStoredRequest(service);
  const path = `/requests/${mine.request_id}`;
  expect((await service.ask('GET', path, { key })).status).toBe(404);
  await service.answer('POST', `/work/${mine.request_id}/claim`, { channels: ['manual_phone_call'] }, key);
  expect((await service.ask('GET', path, { key })).status).toBe(200);
  const attempts = await service.answer<VerificationAttemptList>('GET', `${path}/attempts`, undefined, key);
  expect(attempts.items).toMatchObject([{ channel: 'manual_phone_call', note: null }]);
});

test('who also makes requests, or looks after them, reaches those as well', async () => {
  const both = await aSession(service, { roles: ['requester', 'verifier'] });
  const operator = await aSession(service, { roles: ['operator', 'verifier'] });
  const ofDefault = await aStoredRequest(service);
  const ofAnother = await aStoredRequest(service, {}, await aKey(service));
  expect([await opens(both, ofDefault), await opens(both, ofAnother)]).toEqual([
    [200, 200],
    [404, 404],
  ]);
  await lease(both, ofAnother);
  expect(await opens(both, ofAnother)).toEqual([200, 200]);
  expect(await opens(operator, ofAnother)).toEqual([200, 200]);
});

test('what a verifier opens is on record under their name', async () => {
  const verifier = await aSession(service, { roles: ['verifier'] });
  const request = await aStoredRequest(service);
  await lease(verifier, request);
  await consoleTransport.call(service, 'requests.get', { request_id: request.request_id }, verifier.asked);
  const lines = await rows(
    service.databaseUrl,
    `select operation from access_log where request_id = $1 and key_id = $2 order by id`,
    [request.request_id, verifier.staff_id],
  );
  expect(lines).toEqual([{ operation: 'work.claimRequest' }, { operation: 'requests.get' }]);
  const [attempt] = await rows(
    service.databaseUrl,
    `select key_id from verification_attempt where request_id = $1`,
    [request.request_id],
  );
  expect(attempt).toEqual({ key_id: verifier.staff_id });
});
