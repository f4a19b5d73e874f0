import type {
  AuditList,
  Erasure,
  ErasureList,
  LegalHold,
  LegalHoldList,
  RequestView,
} from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { beforeAll, describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { alter } from '../rows.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from '../staff/a-session.ts';
import { transports } from '../transports.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, BACKUP_DAYS: '30', ROLES: 'http' } });
let key: string;
let ada: TestSession;
let ben: TestSession;
const ENDING = aRequest().patient_info.subscriber_id.slice(-4);
beforeAll(async () => {
  key = await aKey(service, ['privacy']);
  ada = await aSession(service, { roles: ['privacy'] });
  ben = await aSession(service, { roles: ['privacy'] });
});

/** Calls an operation as a person who is signed in, from a page of the console. */
const as = async (person: TestSession, operation: string, body: object) => {
  const answer = await service.ask('POST', `/console/api/${operation}`, { body, ...person.asked });
  const { result, error } = answer.json as {
    result?: { data: unknown };
    error?: { data: { problem?: { code: string; hold_id?: string }; detail?: unknown } };
  };
  return { status: answer.status, data: result?.data, error: error?.data };
};

describe.each(transports)('over $name', (transport) => {
  test('a key asks, and is refused as the one who confirms', async () => {
    const { request_id } = await aStoredRequest(service);
    const asked = await transport.call(
      service,
      'requests.erase',
      { request_id, reason: 'wrong_patient' },
      { key },
    );
    const erasure = transport.output<Erasure>(asked);
    expect(erasure).toMatchObject({ request_id, erased_at: null, certificate: null });
    const confirming = { erasure_id: erasure.erasure_id, member_id_ending: ENDING };
    const refused = await transport.call(service, 'erasures.confirm', confirming, { key });
    expect([refused.status, refused.json]).toEqual([403, transport.problem('person_required')]);
    const listed = await transport.call(service, 'erasures.list', { limit: 1 }, { key });
    expect(transport.output<ErasureList>(listed).items).toEqual([{ ...erasure, may_confirm: false }]);
  });

  test('a hold is placed, named by what it refuses, shown on the page, and ended', async () => {
    const { request_id } = await aStoredRequest(service);
    const placed = await transport.call(service, 'holds.place', { request_id, reason: 'A matter' }, { key });
    const hold = transport.output<LegalHold>(placed);
    expect(hold).toMatchObject({ request_id, reason: 'A matter', ended_at: null });
    const refused = await transport.call(
      service,
      'requests.erase',
      { request_id, reason: 'patient_asked' },
      { key },
    );
    expect([refused.status, refused.json]).toEqual([
      409,
      transport.problem('legal_hold', { hold_id: hold.hold_id }),
    ]);
    const view = transport.output<RequestView>(
      await transport.call(service, 'requests.view', { request_id }),
    );
    expect(view.holds).toEqual([{ hold_id: hold.hold_id, covers: 'request', placed_at: hold.placed_at }]);
    const ended = await transport.call(service, 'holds.end', { hold_id: hold.hold_id }, { key });
    expect(transport.output<LegalHold>(ended).ended_at).toEqual(expect.any(String));
    const listed = await transport.call(service, 'holds.list', { limit: 1 }, { key });
    expect(transport.output<LegalHoldList>(listed).items).toEqual([transport.output(ended)]);
  });

  test.each([{}, { request_id: 'req_x', account_id: 'acct_x' }])(
    'a hold covers a request or an account, not %o',
    async (covers) => {
      const answer = await transport.call(service, 'holds.place', { ...covers, reason: 'x' }, { key });
      expect(answer.status).toBe(422);
    },
  );
});

// Without it whoever finds an open browser could destroy a record that nobody brings back.
test('a second person confirms with a fresh sign-in and the ending; the audit has the certificate', async () => {
  const { request_id } = await aStoredRequest(service);
  const reason = 'wrong_patient';
  const asked = await as(ada, 'requests.erase', { request_id, reason });
  const { erasure_id } = asked.data as Erasure;
  const confirm = (person: TestSession, member_id_ending = ENDING) =>
    as(person, 'erasures.confirm', { erasure_id, member_id_ending });
  expect(await confirm(ada)).toMatchObject({
    status: 409,
    error: { problem: { code: 'another_person_required' } },
  });
  expect(await confirm(ben, '0000')).toMatchObject({
    status: 422,
    error: { detail: [{ loc: ['body', 'member_id_ending'] }] },
  });
  await aged(ben, '16 minutes');
  expect(await confirm(ben)).toMatchObject({
    status: 403,
    error: { problem: { code: 'fresh_sign_in_required' } },
  });
  const cleo = await aSession(service, { roles: ['privacy'] });
  const confirmed = await confirm(cleo);
  expect(confirmed.status).toBe(200);
  const { certificate } = confirmed.data as Erasure;
  expect(certificate).toMatchObject({
    asked_by: ada.staff_id,
    confirmed_by: cleo.staff_id,
    by_one_person: false,
  });
  expect(certificate?.copies.at(-1)).toMatchObject({ kind: 'backup', until: expect.any(String) });
  const { items } = await service.answer<AuditList>('GET', `/audit?request_id=${request_id}`);
  const line = items.find((one) => one.operation === 'erasures.confirm' && one.outcome === 'done');
  expect(JSON.parse(line?.change ?? '')).toEqual({ certificate });
  expect(line).toMatchObject({ subject_id: erasure_id, key_id: cleo.staff_id });
  const gone = await service.ask('GET', `/requests/${request_id}`);
  expect(gone.status).toBe(410);
});

/** Makes a session as old as that. */
async function aged({ session_id }: TestSession, age: string): Promise<void> {
  await alter(
    service.databaseUrl,
    `update staff_session set proven_at = proven_at - $2::interval where id = $1`,
    [session_id, age],
  );
}
