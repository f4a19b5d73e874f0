import {
  type Account,
  type RequestBenefits,
  type RequestInfo,
  type RequestModel,
  type ResponseModel,
  SANDBOX_MEMBER_IDS,
  VerificationSource,
  type WorkItem,
  type WorkItemList,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { aFinding, claim } from './work.ts';

const service = useService();
let key: string;
beforeAll(async () => {
  const account = await service.answer<Account>('POST', '/accounts', { name: 'Tests', mode: 'test' });
  key = await aKey(service, ['requests'], account.account_id);
});

const post = (subscriberId: string, callbackUrl?: string, patient: object = {}) =>
  service.answer<RequestModel & { request_id: string }>(
    'POST',
    '/requests/',
    aRequest({
      patient_info: { subscriber_id: subscriberId, ...patient },
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    }),
    key,
  );
const finished = (requestId: string) =>
  until('it has an outcome', async () => {
    const request = await service.answer<RequestModel>('GET', `/requests/${requestId}`, undefined, key);
    return request.state === 'pending' ? null : request;
  });

test.each([
  ['TEST-ACTIVE', ['Active']],
  ['TEST-INACTIVE', ['Inactive']],
  ['TEST-SEVERAL', ['Active', 'Inactive']],
])('%s is complete and delivered with %j', async (subscriberId, statuses) => {
  const receiver = await aReceiver();
  await post(subscriberId, receiver.url);
  const [webhook] = await receiver.first();
  const { request, insurance_data: entries } = JSON.parse(webhook?.body ?? '') as ResponseModel;
  expect(request.state).toBe('complete');
  expect(entries.map(({ plan_info: plan }) => plan.eligibility_status)).toEqual(statuses);
});

test('a correction is delivered five seconds later, as version 2', async () => {
  const receiver = await aReceiver();
  await post('TEST-CORRECTED', receiver.url);
  await until('both have arrived', () => receiver.received.length === 2);
  const arrived = receiver.received.map(({ body, headers }) => [
    headers['verification-version'],
    (JSON.parse(body) as ResponseModel).insurance_data[0]?.plan_info.eligibility_status,
  ]);
  expect(arrived).toEqual([
    ['1', 'Active'],
    ['2', 'Inactive'],
  ]);
});

test('another member id is returned where name and birth date prove the patient, else it is no answer', async () => {
  const receiver = await aReceiver();
  await post('TEST-MEMBER-ID-CHANGED', receiver.url, { name: 'Jane Doe', dob: '1984-05-17' });
  const [webhook] = await receiver.first();
  const { insurance_data: entries } = JSON.parse(webhook?.body ?? '') as ResponseModel;
  expect(entries[0]?.patient_info.subscriber_id).toBe('TEST-MEMBER-ID-CHANGED-2');
  const { request_id } = await post('TEST-MEMBER-ID-CHANGED');
  expect((await finished(request_id)).error_reason).toBe('member_id_invalid');
});

test.each([
  ['TEST-BENEFITS-MEDICAL', 67, 1],
  ['TEST-BENEFITS-DENTAL', 32, 1],
  ['TEST-BENEFITS-MEDICARE', 12, 3],
])('%s has %d rows of benefits in %d coverages', async (subscriberId, count, coverageCount) => {
  const { request_id } = await post(subscriberId);
  await finished(request_id);
  const { coverages, service_date: day } = await service.answer<RequestBenefits>(
    'GET',
    `/requests/${request_id}/benefits`,
    undefined,
    key,
  );
  expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(coverages).toHaveLength(coverageCount);
  expect(coverages.flatMap(({ benefits }) => benefits)).toHaveLength(count);
});

// Its own data does not prove who it is, and the sandbox answered it never.
test('a newborn without a birth date is answered too', async () => {
  const { request_id } = await post('TEST-ACTIVE', undefined, { name: 'Doe, Baby Boy' });
  expect((await finished(request_id)).state).not.toBe('pending');
});

test('every reason a verifier can give has its member id', async () => {
  const failing = Object.entries(SANDBOX_MEMBER_IDS).flatMap(([id, outcome]) =>
    outcome.kind === 'failed' ? [{ id, reason: outcome.errorReason }] : [],
  );
  const posted = await Promise.all(
    failing.map(async ({ id, reason }) => ({ reason, requestId: (await post(id)).request_id })),
  );
  for (const { requestId, reason } of posted) {
    const request = await finished(requestId);
    expect([request.error_reason, request.state === 'pending']).toEqual([reason, false]);
  }
});

test('a slow one waits, one that never answers and an ordinary one stay pending', async () => {
  const [slow, never, ordinary] = [await post('TEST-SLOW'), await post('TEST-NEVER'), await post('W1')];
  await until('all have been looked at', async () => {
    const waiting = await rows(
      service.databaseUrl,
      `select from work_queue where request_id = any($1) and (waits_since > now() or pool = 'test')
        and not exists (select from verification_attempt where request_id = work_queue.request_id)`,
      [[slow.request_id, never.request_id, ordinary.request_id]],
    );
    return waiting.length === 3;
  });
  await rows(
    service.databaseUrl,
    `with aged as (update request set received_at = now() - interval '31 seconds' where id = $1)
     update work_queue set waits_since = now() where request_id = $1`,
    [slow.request_id],
  );
  expect(await finished(slow.request_id)).toMatchObject({ error_reason: null });
});

// No payer may ever be asked about a patient who does not exist.
test('no live verifier is given a request of a test account', async () => {
  await post('TEST-NEVER');
  await post('W1');
  const channels = [
    'api',
    'agent_web_portal',
    'agent_phone_call',
    'manual_web_portal',
    'manual_phone_call',
  ] as const;
  expect(await claim(service, channels, { max: 50 })).toEqual([]);
});

// Without it nobody could test their own verifier before it works on real patients.
test('a test account’s verifier works on what the sandbox leaves, and on nothing that is reserved', async () => {
  const account = await service.answer<Account>('POST', '/accounts', {
    name: 'Robots in training',
    kind: 'platform',
    mode: 'test',
  });
  const verifier = await aKey(service, ['verify'], account.account_id);
  const [ordinary, never, slow] = [await post('W77'), await post('TEST-NEVER'), await post('TEST-SLOW')];
  const live = await aStoredRequest(service);
  const claimed = new Map<string, WorkItem>();
  await until('it has the ordinary one', async () => {
    const body = { channels: VerificationSource.options, max: 50 };
    const { items } = await service.answer<WorkItemList>('POST', '/work/claim', body, verifier);
    for (const item of items) claimed.set(item.request.request_id ?? '', item);
    return claimed.has(ordinary.request_id);
  });
  const ids = [...claimed.keys()];
  for (const other of [never, slow, live]) expect(ids).not.toContain(other.request_id);
  const item = claimed.get(ordinary.request_id) ?? expect.fail();
  await service.answer(
    'POST',
    `/work/${ordinary.request_id}/submit`,
    { lease_token: item.lease_token, insurance_data: [aFinding(item)] },
    verifier,
  );
  expect(await finished(ordinary.request_id)).toMatchObject({ error_reason: null });
});

describe('a create says so to a test account', () => {
  const doubts = async (changes: Partial<RequestInfo>, as = key) => {
    const { headers } = await service.ask('POST', '/requests/', { key: as, body: aRequest(changes) });
    return headers['doubtful-members'] ?? null;
  };
  const right = { patient_info: { subscriber_id: 'TEST-ACTIVE', dob: '1984-05-17' } };

  test.each<[string, Partial<RequestInfo>, string | null]>([
    ['nothing of a right one', right, null],
    [
      'an unknown member id',
      { patient_info: { subscriber_id: 'TEST-NOTHING' } },
      'patient_info.subscriber_id',
    ],
    [
      'a day to come, and another check digit',
      {
        patient_info: { subscriber_id: 'TEST-ACTIVE', dob: '2984-05-17' },
        provider_info: { npi: '1234567890', name: 'Main Street' },
      },
      'patient_info.dob, provider_info.npi',
    ],
    ['a day that is none', { patient_info: { subscriber_id: 'W1', dob: '1984-02-31' } }, 'patient_info.dob'],
    [
      'a birth date that may be two days',
      { patient_info: { subscriber_id: 'W1', dob: '05/06/1984' } },
      'patient_info.dob',
    ],
    ['nothing of one that may be one', { patient_info: { subscriber_id: 'W1', dob: '05/17/84' } }, null],
    ['nothing of a day in words', { patient_info: { subscriber_id: 'W1', dob: 'May 17, 1984' } }, null],
  ])('%s', async (_name, changes, expected) => {
    expect(await doubts(changes)).toBe(expected);
  });

  test('a live account learns nothing', async () => {
    expect(await doubts({ patient_info: { subscriber_id: 'TEST-NOTHING' } }, await aKey(service))).toBeNull();
  });
});
