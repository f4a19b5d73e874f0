import {
  type AuditList,
  type CreatedApiKey,
  type Erasure,
  type LegalHold,
  type OperationName,
  type OutputReceipt,
  type RequestModel,
  Scope,
} from '@insurance-verification/schema';
import { openStore, keepX12Exchanges } from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { rows } from '../rows.ts';
import { aClient, aPerson, aSession, BEHIND_A_PROXY } from '../staff/a-session.ts';
import { type Transport, transports, operationNames } from '../transports.ts';
import { aLease } from '../verification/work.ts';

let service: TestService;
let testKey: string;
let testAccountId: string;
beforeAll(async () => {
  // As in production, only keyed senders are trusted; these tests send more outputs than a stranger may in a minute.
  // Nothing but a call changes anything: no worker that delivers or verifies runs, and no lease lapses.
  const env = {
    ...BEHIND_A_PROXY,
    ROLES: 'http',
    VERIFICATION_OUTPUT_TRUST: 'keyed',
    ANONYMOUS_OUTPUT_LIMIT: '10000',
    WORK_LEASE_SECONDS: '3600',
  };
  service = await startTestService({ env });
  ({ account_id: testAccountId } = await anAccount(service, { kind: 'platform', mode: 'test' }));
  testKey = await aKey(service, [...Scope.options], testAccountId);
  await service.answer('POST', `/accounts/${testAccountId}/limits`, {
    policies: { 'redeliver-exhausted': { quota: 1_000, window_seconds: 60 } },
  });
});
afterAll(() => service.stop());

/** One thing of each kind that belongs to a live account, with its identifiers. */
interface LiveThings {
  readonly waiting: RequestModel & { request_id: string };
  readonly leased: Awaited<ReturnType<typeof aLease>>;
  readonly finished: RequestModel & { request_id: string };
  readonly accountId: string;
  readonly keyId: string;
  readonly deliveryId: string;
  /** A person of the account, and a signed-in person of the platform. */
  readonly staffIds: readonly string[];
  readonly sessionId: string;
  /** A correction, an output for an unknown request, and an anonymous output for a request. */
  readonly heldIds: readonly string[];
  /** Asked for, of the waiting request. */
  readonly erasureId: string;
  /** On the finished one. */
  readonly holdId: string;
}

const PATIENT = 'W-OF-A-PATIENT';
const KEY = 'visit-of-a-patient';
const OF_PATIENT = {
  patient_info: { subscriber_id: PATIENT, dob: '1984-05-17', name: 'Jane Doe', address: null },
};

async function liveThings(): Promise<LiveThings> {
  const { account_id: accountId } = await anAccount(service, { name: 'A live clinic' });
  const { key, key_id: keyId } = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id: accountId,
    scopes: ['requests'],
  });
  const leased = await aLease(service, 'manual_phone_call', OF_PATIENT);
  const finished = await aStoredRequest(service, OF_PATIENT, key);
  await service.answer('POST', '/verification-output', anOutput(finished));
  const [delivery] = await rows<{ id: string }>(
    service.databaseUrl,
    `with unqueued as (delete from delivery_queue where request_id = $1)
     update delivery set status = 'exhausted', reason = 'webhook_exhausted', done_at = now() where request_id = $1
     returning id`,
    [finished.request_id],
  );
  const store = await openStore({
    connectionString: service.databaseUrl,
    encryptionKey: service.config.encryptionKey ?? '',
  });
  await keepX12Exchanges(store, [
    {
      requestId: finished.request_id,
      accountId,
      payerId: 'plan-1',
      controlNumber: Number.parseInt(finished.request_id.slice(-5), 36) % 1_000_000,
      startedAt: new Date(),
      durationMs: 1,
      statusCode: 200,
      errorReason: null,
      payerCodes: [],
      inquiry: 'ISA*asked~',
      answer: Buffer.from('ISA*answered~'),
    },
  ]).finally(() => store.close());
  const created = await service.ask('POST', '/requests/', {
    body: aRequest(OF_PATIENT),
    key,
    headers: { 'idempotency-key': KEY },
  });
  const waiting = created.json as LiveThings['waiting'];
  const hold = (output: object) =>
    service
      .answer<OutputReceipt>('POST', '/verification-output', output)
      .then(({ held_id }) => held_id ?? '');
  const correction = await hold(anOutput(finished, { insurance_data: [] }));
  const stray = await hold(anOutput(waiting, { request_id: `of another system ${accountId}` }));
  await service.ask('POST', '/verification-output', { body: anOutput(waiting), key: null });
  const [strangers] = await rows<{ id: string }>(
    service.databaseUrl,
    'select id from held_output where named_request_id = $1',
    [waiting.request_id],
  );
  const heldIds = [correction, stray, strangers?.id ?? ''];
  const staffIds = [];
  for (const account_id of [accountId, null])
    staffIds.push((await aPerson(service, { account_id })).staff_id);
  const { session_id: sessionId } = await aSession(service, {});
  const deliveryId = delivery?.id ?? '';
  const { erasure_id: erasureId } = await service.answer<Erasure>(
    'POST',
    `/requests/${waiting.request_id}/erase`,
    { reason: 'wrong_patient' },
  );
  const { hold_id: holdId } = await service.answer<LegalHold>('POST', '/holds', {
    request_id: finished.request_id,
    reason: `Of ${PATIENT}`,
  });
  const ids = { accountId, keyId, deliveryId, staffIds, sessionId, erasureId, holdId };
  return { heldIds, waiting, leased, finished, ...ids };
}

async function aLiveOperator(): Promise<CreatedApiKey> {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  return service.answer('POST', '/keys', { account_id, scopes: ['operate'] });
}

/** Everything that could change, except the access log and the keys' last use. */
async function everything(): Promise<string> {
  const tables = [
    'account',
    'request',
    'result',
    'delivery',
    'verification_attempt',
    'x12_exchange',
    'draft',
    'erasure',
    'legal_hold',
  ];
  const people = ['staff', 'sign_in_link', 'staff_session', 'passkey', 'staff_settings'];
  const all = [...tables, ...people].map((table) => `select to_jsonb(t)::text as text from ${table} as t`);
  const keys = `select (to_jsonb(k) - 'last_used_at')::text from api_key as k`;
  // An output from a test key for something out of its reach is held as its own, which changes nothing live.
  const held = `select to_jsonb(h)::text from held_output as h
    where received_by is null or received_by not in (
      select id from api_key where account_id = '${testAccountId}'
    )`;
  const found = await rows<{ text: string }>(
    service.databaseUrl,
    `select string_agg(text, e'\\n' order by text) as text from (${[...all, keys, held].join(' union all ')}) as rows`,
  );
  return found[0]?.text ?? '';
}

type Ask = (things: LiveThings) => readonly Record<string, unknown>[];

/**
 * The test key's calls about the live things, by operation, written by hand: what could reach them is for a person to
 * think of. A missing operation does not compile.
 */
const ASKS: Record<OperationName, Ask> = {
  'requests.create': () => [],
  'requests.list': () => [{}],
  'requests.search': ({ waiting, accountId }) => [
    idOf(waiting),
    { ...idOf(waiting), account_id: accountId },
    { idempotency_key: KEY },
    { idempotency_key: KEY, account_id: accountId },
    { subscriber_id: PATIENT },
    { subscriber_id: PATIENT, account_id: accountId },
    { account_id: accountId, state: 'pending' },
    { limit: 100 },
  ],
  'requests.view': ({ finished }) => [idOf(finished)],
  'requests.reveal': ({ finished }) => [idOf(finished)],
  'requests.noteCopy': ({ finished }) => [idOf(finished)],
  'requests.erase': ({ waiting, finished }) =>
    [waiting, finished].map((request) => ({ ...idOf(request), reason: 'wrong_patient' })),
  'requests.readers': ({ finished }) => [idOf(finished)],
  'payers.list': () => [{}],
  'requests.get': ({ waiting, finished }) => [waiting, finished].map(idOf),
  'requests.result': ({ finished }) => [idOf(finished)],
  'requests.deliveries': ({ finished }) => [idOf(finished)],
  'requests.redeliver': ({ finished }) => [idOf(finished)],
  'requests.close': ({ waiting }) => [{ ...idOf(waiting), reason: 'withdrawn' }],
  'deliveries.list': ({ finished, accountId }) => [
    { limit: 100 },
    { status: 'exhausted', since: '2020-01-01T00:00:00Z' },
    { account_id: accountId },
    idOf(finished),
  ],
  'deliveries.get': ({ deliveryId }) => [{ delivery_id: deliveryId }],
  'deliveries.redeliverMatching': ({ accountId }) => [
    { dry_run: true, since: '2020-01-01T00:00:00Z' },
    { dry_run: true, since: '2020-01-01T00:00:00Z', account_id: accountId },
  ],
  'deliveries.redeliverExhausted': () => [{ since: '2020-01-01T00:00:00Z' }],
  'receivers.list': () => [{}],
  'receivers.tryNow': () => [{ host: 'receiver.example' }],
  'requests.attempts': ({ leased }) => [idOf(leased.request)],
  'requests.benefits': ({ finished }) => [idOf(finished)],
  'requests.exchanges': ({ finished }) => [idOf(finished)],
  'requests.proof': ({ finished }) => [idOf(finished)],
  'work.claim': () => [
    {
      channels: ['api', 'agent_web_portal', 'agent_phone_call', 'manual_web_portal', 'manual_phone_call'],
      max: 50,
    },
  ],
  'work.claimRequest': ({ waiting, leased }) =>
    [waiting, leased.request].map((request) => ({
      ...idOf(request),
      channels: ['manual_phone_call', 'agent_web_portal'],
    })),
  'work.heartbeat': ({ leased }) => [leaseOf(leased)],
  'work.startCall': ({ leased }) => [leaseOf(leased)],
  'work.endCall': ({ leased }) => [leaseOf(leased)],
  'work.release': ({ leased }) => [leaseOf(leased)],
  'work.fail': ({ leased }) => [{ ...leaseOf(leased), error_reason: 'member_not_found', final: true }],
  'work.submit': ({ leased }) => [{ ...leaseOf(leased), insurance_data: [] }],
  'work.stats': () => [{}],
  'work.payers': () => [{}],
  'work.day': () => [{}],
  'drafts.list': () => [{ limit: 100 }],
  'drafts.get': ({ leased }) => [idOf(leased.request)],
  'drafts.save': ({ leased }) => [{ ...idOf(leased.request), content: 'x', revision: null }],
  'drafts.discard': ({ leased }) => [{ ...idOf(leased.request), revision: 1 }],
  'drafts.adopt': ({ leased }) => [{ ...leaseOf(leased), revision: null }],
  'verificationOutput.submit': ({ waiting }) => [{ ...anOutput(waiting) }],
  'heldOutputs.list': () => [{ limit: 100 }],
  'heldOutputs.stats': () => [{}],
  'heldOutputs.get': ({ heldIds }) => heldIds.map((held_id) => ({ held_id })),
  'heldOutputs.compare': ({ heldIds, waiting }) => [
    ...heldIds.map((held_id) => ({ held_id })),
    ...heldIds.map((held_id) => ({ held_id, request_id: waiting.request_id })),
  ],
  'heldOutputs.apply': ({ heldIds, waiting }) => [
    ...heldIds.map((held_id) => ({ held_id })),
    ...heldIds.map((held_id) => ({ held_id, request_id: waiting.request_id })),
  ],
  'heldOutputs.dismiss': ({ heldIds }) => heldIds.map((held_id) => ({ held_id })),
  'heldOutputs.dismissMany': () =>
    ['superseding', 'unmatched', 'untrusted', 'input_mismatch'].map((reason) => ({ reason })),
  'keys.create': ({ accountId }) => [{ account_id: accountId, scopes: ['requests'] }],
  'keys.list': () => [{ limit: 100 }],
  'keys.revoke': ({ keyId }) => [{ key_id: keyId }],
  'accounts.create': () => [{ name: 'x', mode: 'live' }, { name: 'x' }],
  'accounts.list': () => [{ limit: 100 }],
  'accounts.suspend': ({ accountId }) => [{ account_id: accountId }],
  'accounts.resume': ({ accountId }) => [{ account_id: accountId }],
  'accounts.limits': ({ accountId }) => [{ account_id: accountId }],
  'accounts.setLimits': ({ accountId }) => [
    {
      account_id: accountId,
      policies: { intake: { quota: 1, window_seconds: 60 } },
      allowed_cidrs: ['127.0.0.0/8'],
    },
  ],
  'accounts.retention': ({ accountId }) => [{ account_id: accountId }],
  'accounts.setRetention': ({ accountId }) => [{ account_id: accountId, retention_days: 3 }],
  'demo.play': () => [], // like requests.create: a new request of the test account
  'erasures.list': () => [{ limit: 100 }],
  'erasures.confirm': ({ erasureId }) => [{ erasure_id: erasureId, member_id_ending: PATIENT.slice(-4) }],
  'holds.list': () => [{ limit: 100 }],
  'holds.place': ({ accountId, waiting }) => [
    { account_id: accountId, reason: 'x' },
    { ...idOf(waiting), reason: 'x' },
  ],
  'holds.end': ({ holdId }) => [{ hold_id: holdId }],
  'staff.add': ({ accountId }) => [
    { name: 'x', roles: ['requester'], account_id: accountId },
    { name: 'x', roles: ['operator'] },
  ],
  'staff.list': () => [{ limit: 100 }],
  'staff.setRoles': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id, roles: ['viewer'] })),
  'staff.link': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id })),
  'staff.end': ({ staffIds }) => staffIds.map((staff_id) => ({ staff_id })),
  'sessions.me': () => [{}],
  'sessions.accounts': () => [{ limit: 100 }, { name: 'e' }],
  'sessions.list': () => [{ limit: 100 }],
  'sessions.end': ({ sessionId }) => [{ session_id: sessionId }],
  'sessions.breakGlass': ({ sessionId }) => [{ session_id: sessionId, reason: 'An emergency of tests' }],
  'passkeys.list': () => [{}],
  'passkeys.begin': () => [{}],
  'passkeys.add': () => [{ token: 'x', name: 'x', credential: {} }],
  'passkeys.end': () => [{ passkey_id: 'pky_01jdabcdefghjkmnpqrstvwxyz' }],
  'settings.get': () => [{}],
  'settings.set': () => [{ density: 'roomy' }],
  'audit.list': ({ waiting, accountId, keyId }) => [
    { limit: 100 },
    { request_id: waiting.request_id },
    { account_id: accountId },
    { key_id: keyId },
    { name: 'e' },
  ],
  'audit.export': ({ waiting, keyId }) => [
    { format: 'csv' },
    { format: 'ndjson', request_id: waiting.request_id },
    { key_id: keyId },
  ],
  'audit.seals': () => [{ limit: 100 }],
  'audit.verify': () => [{}],
  'reports.responseTimes': () => [{}],
  'reports.requests': ({ accountId }) => [{}, { account_id: accountId }],
  'reports.times': ({ accountId }) => [{ of: 'result' }, { of: 'result', account_id: accountId }],
  'reports.reasons': ({ accountId }) => [{ of: 'delivery' }, { of: 'delivery', account_id: accountId }],
  'reports.queue': ({ accountId }) => [{}, { account_id: accountId }],
  'reports.held': ({ accountId }) => [{}, { account_id: accountId }],
  'webhookSecret.get': () => [],
  'webhookSecret.rotate': () => [],
};

const idOf = ({ request_id }: { request_id: string }) => ({ request_id });
const leaseOf = ({ request, lease_token }: LiveThings['leased']) => ({ ...idOf(request), lease_token });

const asked = Object.keys(ASKS) as (keyof typeof ASKS)[];

// Without it nobody would check what a test key reaches through a new operation.
test('every operation is asked', () => {
  expect([...asked].toSorted()).toEqual([...operationNames].toSorted());
});

describe.each(transports)('over $name', (transport) => {
  // For all operations: whatever one changed would fail its own test.
  let things: LiveThings;
  beforeAll(async () => void (things = await liveThings()));

  // Broke: an ivk_test_ key with `verify` got live patients, one with `operate` read and closed their requests.
  test.each(asked)('%s shows and changes nothing live to a test account’s key', async (operation) => {
    const before = await everything();
    for (const input of ASKS[operation](things)) {
      const answer = await transport.call(service, operation, input, { key: testKey, headers: aClient() });
      expect(answer.status).toBeLessThan(500);
      for (const secret of namesOf(things, operation, input)) expect(answer.text).not.toContain(secret);
      if (operation === 'work.stats') expect(countsOf(transport, answer)).toEqual(0);
    }
    expect(await everything()).toBe(before);
  });

  test('the id of something live answers as an unknown one does', async () => {
    for (const operation of asked) {
      for (const input of ASKS[operation](things)) {
        const unknown = Object.fromEntries(
          Object.entries(input).map(([name, value]) => [name, otherId(value)]),
        );
        if (JSON.stringify(unknown) === JSON.stringify(input)) continue;
        const answers = [];
        for (const one of [input, unknown])
          answers.push(await transport.call(service, operation, one, { key: testKey, headers: aClient() }));
        expect([operation, answers[0]?.status, answers[0]?.text]).toEqual([
          operation,
          answers[1]?.status,
          answers[1]?.text,
        ]);
      }
    }
  });

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
    for (const probe of [{ key_id }, { account_id }]) {
      expect(await list(probe, { key: testKey })).toEqual([]);
      expect(await list(probe)).toMatchObject([{ operation: 'requests.close', key_id, account_id }]);
    }
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

/** What no answer may contain: the ids of live things, except those in the call, which may be echoed. */
function namesOf(
  { waiting, leased, finished, accountId, keyId, deliveryId, heldIds, staffIds, sessionId }: LiveThings,
  operation: string,
  input: object,
) {
  const said = operation === 'verificationOutput.submit' ? '' : JSON.stringify(input);
  const ids = [waiting.request_id, leased.request.request_id, finished.request_id, accountId, keyId];
  const names = [...ids, deliveryId, ...heldIds, ...staffIds, sessionId];
  return [...names, 'A live clinic', PATIENT, 'ISA*asked'].filter((name) => !said.includes(name));
}

function countsOf(transport: Transport, answer: Parameters<Transport['output']>[0]): number {
  const { items } = transport.output<{ items: { waiting_count: number; leased_count: number }[] }>(answer);
  return items.reduce((sum, { waiting_count, leased_count }) => sum + waiting_count + leased_count, 0);
}

/** Another id of the same form that does not exist. */
function otherId(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/^((?:req|key|acct|held|stf|ses|msg|pky)_).{10}/, '$100000zzzzz');
}
