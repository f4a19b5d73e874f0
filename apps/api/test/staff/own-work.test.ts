import type { RequestModel, VerificationAttemptList, WorkItemList } from '@insurance-verification/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from './a-session.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: BEHIND_A_PROXY });
});
afterAll(() => service.stop());

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
