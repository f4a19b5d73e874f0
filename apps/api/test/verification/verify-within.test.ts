import type {
  CreatedApiKey,
  HeldOutputList,
  OutputReceipt,
  StaffMember,
  VerifyWithin,
  WorkItem,
  WorkItemList,
} from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, expect, test } from 'vitest';
import { aKey, anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { aSession, BEHIND_A_PROXY, type TestSession } from '../staff/a-session.ts';
import { consoleTransport } from '../transports.ts';
import { aFinding, aRouteFile } from './work.ts';

const PORTAL = 'agent_web_portal';
const PHONE = 'manual_phone_call';
const CHANNELS = { channels: [PORTAL, PHONE] };

const service = useService(() => ({
  env: { ...aRouteFile([PORTAL, PHONE]), ...BEHIND_A_PROXY, VERIFICATION_OUTPUT_TRUST: 'keyed' },
}));
let accountId: string;
let clinic: string;
beforeAll(async () => {
  accountId = (await anAccount(service)).account_id;
  clinic = await aKey(service, ['requests'], accountId);
});

/** A verifier's key that is kept to something. */
async function aVerifier(verify_within: VerifyWithin | null): Promise<string> {
  const { account_id } = await anAccount(service, { kind: 'platform' });
  const body = { account_id, scopes: ['verify'], verify_within };
  return (await service.answer<CreatedApiKey>('POST', '/keys', body)).key;
}

const ofPlan = (number: number, key?: string) =>
  aStoredRequest(service, { payer_info: { name: `Payer Plan ${number}` } }, key);

async function claimed(key: string): Promise<(string | null)[]> {
  const body = { ...CHANNELS, max: 50 };
  const { items } = await service.answer<WorkItemList>('POST', '/work/claim', body, key);
  for (const { lease_token, request } of items)
    await service.answer('POST', `/work/${request.request_id}/release`, { lease_token }, key);
  return items.map(({ request }) => request.request_id);
}

const claimOne = (key: string, requestId: string) =>
  service.ask('POST', `/work/${requestId}/claim`, { key, body: CHANNELS });

// Broke: every verifier, also one of a single payer's contractor, could lease every patient.
test('a verifier who is kept to payers, channels or accounts leases no other request', async () => {
  const [one, two, theirs] = [await ofPlan(1), await ofPlan(2), await ofPlan(1, clinic)];
  const all = [one, two, theirs].map(({ request_id }) => request_id);
  const among = async (within: VerifyWithin | null) => {
    const key = await aVerifier(within);
    const found = await claimed(key);
    // What is not found among many cannot be had by its name either.
    const named = await Promise.all(all.map(async (id) => (await claimOne(key, id)).status));
    for (const [index, id] of all.entries()) expect(named[index] === 200).toBe(found.includes(id));
    const leases = all.filter((_, index) => named[index] === 200);
    for (const id of leases) {
      const body = { ...CHANNELS, take_over: true };
      const { lease_token } = await service.answer<WorkItem>('POST', `/work/${id}/claim`, body, key);
      await service.answer('POST', `/work/${id}/release`, { lease_token }, key);
    }
    return new Set(found.filter((id) => all.includes(id ?? '')));
  };
  expect(await among(null)).toEqual(new Set(all));
  expect(await among({ payer_ids: ['plan-2'] })).toEqual(new Set([two.request_id]));
  expect(await among({ account_ids: [accountId] })).toEqual(new Set([theirs.request_id]));
  expect(await among({ account_ids: [accountId], payer_ids: ['plan-2'] })).toEqual(new Set());
  expect(await among({ payer_ids: ['plan-9'] })).toEqual(new Set());
  // They wait in the first channel of their route.
  expect(await among({ channels: ['api'] })).toEqual(new Set());
  expect(await among({ channels: [PORTAL] })).toEqual(new Set(all));
});

const WITHIN = [
  { payer_ids: ['plan-3'] },
  { channels: [PHONE] },
  { account_ids: ['acct_of_others'] },
] as const;

// Without it whoever was kept to something later would go on with what they had.
test.each(WITHIN)(
  'kept to %j, a person neither sees, submits nor renews what they had leased',
  async (within) => {
    const person = await aSession(service, { roles: ['verifier'] });
    const { request_id } = await ofPlan(1);
    const call = (
      { asked }: TestSession,
      operation: Parameters<typeof consoleTransport.call>[1],
      input: object,
    ) => consoleTransport.call(service, operation, { ...input }, asked);
    const leased = await call(person, 'work.claimRequest', { request_id, ...CHANNELS });
    const item = consoleTransport.output<WorkItem>(leased);
    const { lease_token } = item;
    expect((await call(person, 'requests.get', { request_id })).status).toBe(200);
    const roles = { roles: ['verifier'], verify_within: within };
    const member = await service.answer<StaffMember>('POST', `/staff/${person.staff_id}/roles`, roles);
    expect(member.verify_within).toEqual(within);
    for (const [operation, input] of [
      ['requests.get', {}],
      ['requests.attempts', {}],
      ['work.submit', { lease_token, insurance_data: [aFinding(item)] }],
      ['work.release', { lease_token }],
    ] as const)
      expect((await call(person, operation, { request_id, ...input })).status, operation).toBe(404);
    // To a person who is kept to other channels the request is there, and the lease is not.
    const renewed = await call(person, 'work.heartbeat', { request_id, lease_token });
    expect(renewed.status).toBe('channels' in within ? 409 : 404);
    // What does not name them leaves bounds as they are; null takes them away.
    const as = { roles: ['verifier'] };
    expect(await service.answer('POST', `/staff/${person.staff_id}/roles`, as)).toMatchObject(roles);
    await service.answer('POST', `/staff/${person.staff_id}/roles`, { ...as, verify_within: null });
    expect((await call(person, 'requests.get', { request_id })).status).toBe(200);
  },
);

test('an output beyond what its verifier is kept to is held', async () => {
  const request = await ofPlan(1);
  const output = anOutput(request);
  const submit = async (within: VerifyWithin | null) =>
    service.answer<OutputReceipt>('POST', '/verification-output', output, await aVerifier(within));
  const [entry] = output.insurance_data;
  const others = ['manual_web_portal', PHONE].filter((one) => one !== entry?.verification_source);
  for (const within of [
    { payer_ids: ['plan-2'] },
    { channels: others.slice(0, 1) as VerifyWithin['channels'] },
    { account_ids: [accountId] },
  ])
    expect((await submit(within)).status).not.toBe('applied');
  expect((await service.answer<HeldOutputList>('GET', '/held-outputs')).items.length).toBeGreaterThan(0);
  expect(await submit({ payer_ids: ['plan-1'] })).toMatchObject({ status: 'applied' });
});

test.each([{ payer_ids: [] }, { payer_ids: ['a\0b'] }, { channels: ['fax'] }, { account_ids: [''] }])(
  '%j sets no bound',
  async (verify_within) => {
    const { account_id } = await anAccount(service, { kind: 'platform' });
    const body = { account_id, scopes: ['verify'], verify_within };
    expect((await service.ask('POST', '/keys', { body })).status).toBe(422);
  },
);

// Without it another administrator's bounds would end where they begin.
test('no admin takes a bound from themselves while there is another admin', async () => {
  const [admin] = [
    await aSession(service, { roles: ['admin', 'verifier'] }),
    await aSession(service, { roles: ['admin'] }),
  ];
  const roles = ['admin', 'verifier'];
  await service.answer('POST', `/staff/${admin.staff_id}/roles`, {
    roles,
    verify_within: { payer_ids: ['plan-1'] },
  });
  const given = { staff_id: admin.staff_id, roles, verify_within: null };
  const refused = await consoleTransport.call(service, 'staff.setRoles', given, admin.asked);
  expect([refused.status, refused.json]).toEqual([409, consoleTransport.problem('another_admin_required')]);
});
