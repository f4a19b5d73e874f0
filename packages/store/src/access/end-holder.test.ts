import type { Endpoint, EventType, Scope } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { describe, expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, aWebhookSecret, intake, submit } from '../../test/ground/stages.ts';
import { aRoute, claim, claimOne, workQueue } from '../../test/ground/work-queue.ts';
import {
  addStaff,
  type Caller,
  claimDueDeliveries,
  createApiKey,
  createEndpoint,
  endStaff,
  getEndpoint,
  keepEnded,
  listApiKeys,
  listCallBacks,
  listStaff,
  planCallBack,
  recoverEndpoint,
  replaceFirstKey,
  reportExpiringKeys,
  resumeAccount,
  revokeApiKey,
  suspendAccount,
  updateEndpoint,
} from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const admin = aPlatformCaller();
const PHONE = 'manual_phone_call';
const phone = { routes: [aRoute([PHONE])], channels: [PHONE] } as const;
const colleague = aPlatformCaller();

/** A key of a new platform account, or of a given one, as a caller. */
async function aKeyOf(
  accountId?: string,
  scopes: Scope[] = ['requests', 'verify', 'operate'],
): Promise<Caller> {
  const account = accountId ?? (await anAccount(store, { kind: 'platform' })).accountId;
  const given = { caller: admin, accountId: account, scopes, name: null, expiresAt: null };
  const made = await createApiKey(store, given);
  if (made.kind !== 'created') throw new Error(made.kind);
  return { keyId: made.key.key_id, accountId: account, mode: 'live', acrossAccounts: true };
}

/** A person of the platform, or of a new account, as a caller. */
async function aPerson(ofPlatform: boolean): Promise<Caller> {
  const account = await anAccount(store);
  const accountId = ofPlatform ? null : account.accountId;
  const roles = ofPlatform ? (['verifier', 'operator'] as const) : (['requester'] as const);
  const added = await addStaff(store, { caller: admin, name: 'Ada', roles, accountId });
  if (added.kind !== 'added') throw new Error(added.kind);
  return { ...account, keyId: added.member.staff_id, acrossAccounts: ofPlatform };
}

const TYPES: EventType[] = ['request.answered'];

async function anEndpoint(caller: Caller, types = TYPES): Promise<string> {
  const url = 'https://receiver.example/events';
  const own = { ...caller, acrossAccounts: false };
  const created = await createEndpoint(store, { caller: own, url, types, secret: aWebhookSecret() });
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.endpoint.endpoint_id;
}

async function shown(caller: Caller, endpointId: string): Promise<Endpoint> {
  const found = await getEndpoint(store, { caller, endpointId });
  return found.kind === 'found' ? found.endpoint : expect.fail();
}

/** A request of the caller's account that is answered now. */
async function answered(caller: Caller): Promise<void> {
  await submit(store, anOutput(await intake(store, { ...caller, acrossAccounts: false })));
}

/** The ids of the events that are due to an endpoint, each claimed once. */
async function posted(endpointId: string): Promise<string[]> {
  const free = { perHost: 1_000, perAccount: 1_000, hosts: new Map(), lanes: new Map() };
  const { claimed } = await claimDueDeliveries(store, { limit: 100, freeSlots: free, after: null });
  const sent = claimed.filter(({ message }) => message !== null).map(({ deliveryId }) => deliveryId);
  const rows = await sql<{ event_id: string }>(
    'select event_id from delivery where endpoint_id = $1 and id = any ($2)',
    [endpointId, sent],
  );
  return rows.map(({ event_id }) => event_id);
}

/** A leased request, one parked for the holder and one parked for anyone. */
async function work(holder: Caller): Promise<{ leased: string; own: string; anyone: string }> {
  await queue.empty();
  const provider = await anAccount(store);
  const take = async () => {
    await intake(store, provider);
    return claimOne(store, { ...phone, caller: holder });
  };
  const park = async (isOwn: boolean) => {
    const { requestId, leaseToken } = await take();
    const at = new Date(Date.now() + 13 * 86_400_000);
    const plan = { caller: holder, requestId, leaseToken, at, isOwn, evidence: {}, routes: phone.routes };
    expect(await planCallBack(store, plan)).toEqual({ kind: 'parked' });
    return requestId;
  };
  const [own, anyone] = [await park(true), await park(false)];
  return { leased: (await take()).requestId, own, anyone };
}

const claimable = async () =>
  (await Promise.all([1, 2, 3, 4].map(() => claim(store, { ...phone, caller: colleague }))))
    .flat()
    .map(({ requestId }) => requestId)
    .toSorted();

type Ending = readonly [
  how: string,
  holder: () => Promise<Caller>,
  end: (holder: Caller) => Promise<unknown>,
  endpoint: 'paused' | 'the account’s' | 'at rest',
];

const expire = async ({ keyId }: Caller) => {
  // Its MAC is wrong from now on, and it opens nothing; what counts here is its end.
  await sql(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [keyId]);
  await keepEnded(store, 20);
};

const ENDINGS: readonly Ending[] = [
  ['a revoked key', aKeyOf, ({ keyId }) => revokeApiKey(store, { caller: admin, keyId }), 'paused'],
  ['a key that a person replaced on the machine', aFirstKey, () => replaceFirstKey(store), 'paused'],
  [
    'an ended person',
    () => aPerson(true),
    ({ keyId }) => endStaff(store, { caller: admin, staffId: keyId }),
    'paused',
  ],
  ['a key that ended by its date', aKeyOf, expire, 'the account’s'],
  [
    'a suspended account',
    aKeyOf,
    ({ accountId }) => suspendAccount(store, { caller: admin, accountId }),
    'at rest',
  ],
];

const recover = (caller: Caller, endpointId: string) =>
  recoverEndpoint(store, { caller, endpointId, since: null, isDryRun: false });

/** The first key of the account `default`. */
async function aFirstKey(): Promise<Caller> {
  await sql(
    `insert into account (id, name, kind, mode, webhook_secret) values ('acct_00000000000000000000000000', '"default"', 'platform', 'live', '')
     on conflict do nothing`,
  );
  await replaceFirstKey(store);
  const [row] = await sql<{ id: string }>('select id from api_key where bootstrap and revoked_at is null');
  return { ...admin, keyId: row?.id ?? '', accountId: (await anAccount(store)).accountId };
}

describe.each(ENDINGS)('%s', (_, make, end, endpoint) => {
  // Broke: a stolen key's leases and call-backs stayed after it was revoked, the latter for 14 days.
  test('leaves no lease and no call-back: others claim them at once, and its end again changes nothing', async () => {
    const holder = await make();
    const { leased, own, anyone } = await work(holder);
    expect(await claimable()).toEqual([]);
    await end(holder);
    await Promise.all([keepEnded(store, 20), keepEnded(rival, 20)]);
    const opened = await listCallBacks(store, { caller: colleague, ofAll: false, routes: [] });
    expect(opened.map(({ request_id, who }) => [request_id, who]).toSorted()).toEqual(
      [own, anyone].toSorted().map((id) => [id, 'anyone']),
    );
    expect(await claimable()).toEqual([leased, own, anyone].toSorted());
    expect(await queue.attempts(leased)).toEqual([`1 ${PHONE} released`, `2 ${PHONE} working`]);
    const before = await queue.row(leased);
    await keepEnded(rival, 20);
    expect(await queue.row(leased)).toEqual(before);
  });

  // Broke: a stolen key's endpoint went on receiving the events of the account.
  test(`its endpoint is ${endpoint}, and what it missed can be posted`, async () => {
    const holder = await make();
    const own = { ...holder, acrossAccounts: false };
    const id = await anEndpoint(holder);
    await answered(own);
    const first = await posted(id);
    expect(first).toHaveLength(1);
    await end(holder);
    await answered(own);
    expect(await posted(id)).toHaveLength(endpoint === 'the account’s' ? 1 : 0);
    const after = await shown(own, id);
    const heir = { ...own, keyId: aPlatformCaller().keyId };
    if (endpoint === 'the account’s') {
      expect(after).toMatchObject({ made_by: null, disabled_reason: null, missed_count: 0 });
      return;
    }
    if (endpoint === 'at rest') {
      expect(after).toMatchObject({ made_by: holder.keyId, disabled_reason: null });
      await resumeAccount(store, { caller: admin, accountId: holder.accountId });
      expect(await shown(own, id)).toMatchObject({ made_by: holder.keyId, missed_count: 1 });
    } else {
      const [told, ...again] = await sql<{ body: string }>(
        `select body from event where type = 'endpoint.disabled' and subject_id = $1`,
        [id],
      );
      expect(JSON.parse(told?.body ?? '')).toMatchObject({
        data: { endpoint_id: id, reason: 'maker_ended' },
      });
      expect(again).toEqual([]);
      expect(after).toMatchObject({
        made_by: holder.keyId,
        disabled_reason: 'maker_ended',
        missed_count: 1,
      });
      expect(await recover(heir, id)).toEqual({ kind: 'not_found' });
      const taken = await updateEndpoint(store, { caller: heir, endpointId: id, isEnabled: true });
      expect(taken).toMatchObject({
        endpoint: { made_by: heir.keyId, disabled_reason: null, missed_count: 1 },
      });
    }
    await answered(own);
    expect(await posted(id)).toHaveLength(1);
    expect(await recover(heir, id)).toEqual({
      kind: 'recovered',
      recovered: { recovered_count: 1, missed_count: 0 },
    });
    const [missed, ...more] = await posted(id);
    expect([missed, more]).toEqual([expect.stringMatching(/^evt_/), []]);
    expect(first).not.toContain(missed);
    expect(await recover(heir, id)).toMatchObject({
      recovered: { recovered_count: 0, missed_count: 0 },
    });
  });
});

test('a delivery that was given up because its endpoint was off is missed too, and is posted with its id', async () => {
  const holder = await aKeyOf();
  const id = await anEndpoint(holder);
  await answered(holder);
  await sql(
    `with off as (update delivery set status = 'exhausted', reason = 'endpoint_off', done_at = now()
       where endpoint_id = $1 returning id)
     delete from delivery_queue using off where delivery_id = off.id`,
    [id],
  );
  await updateEndpoint(store, { caller: holder, endpointId: id, isEnabled: false });
  await updateEndpoint(store, { caller: holder, endpointId: id, isEnabled: true });
  expect(await shown(holder, id)).toMatchObject({ missed_count: 1, made_by: holder.keyId });
  await recover(holder, id);
  const [event] = await sql<{ id: string }>('select id from event where account_id = $1', [holder.accountId]);
  expect(await posted(id)).toEqual([event?.id]);
});

test('an endpoint misses only events of its types and its reach, since it was created', async () => {
  const holder = await aKeyOf();
  await answered(holder);
  const id = await anEndpoint(holder, ['request.answered', 'endpoint.test']);
  await answered(await aKeyOf());
  await updateEndpoint(store, { caller: holder, endpointId: id, isEnabled: false });
  await answered(await aKeyOf());
  await submit(store, anOutput(await intake(store, holder), { state: 'error_verifying' }));
  expect(await shown(holder, id)).toMatchObject({ missed_count: 0 });
  await answered(holder);
  expect(await shown(holder, id)).toMatchObject({ missed_count: 1 });
});

// Without it every rotation of a key would have a gap, and would be put off.
describe('a successor', () => {
  test('takes the endpoints over, and nothing is paused or missed', async () => {
    const old = await aKeyOf();
    const next = await aKeyOf(old.accountId);
    const id = await anEndpoint(old);
    const off = await anEndpoint(old);
    await updateEndpoint(store, { caller: old, endpointId: off, isEnabled: false });
    const revoked = await revokeApiKey(store, { caller: admin, keyId: old.keyId, successorId: next.keyId });
    expect(revoked).toMatchObject({
      kind: 'revoked',
      key: {
        endpoint_ids: [],
        endpoints: [
          { endpoint_id: id, made_by: next.keyId, disabled_reason: null, missed_count: 0 },
          { endpoint_id: off, made_by: next.keyId, disabled_reason: 'paused' },
        ],
      },
    });
    await answered(old);
    expect(await posted(id)).toHaveLength(1);
    const { items } = await listApiKeys(store, { caller: admin, limit: 100 });
    expect(items.find(({ key_id: keyId }) => keyId === next.keyId)?.endpoint_ids).toEqual([id, off]);
  });

  test('that is named later takes over what was paused', async () => {
    const old = await aKeyOf();
    const next = await aKeyOf(old.accountId);
    const id = await anEndpoint(old);
    const { keyId } = old;
    const paused = await revokeApiKey(store, { caller: admin, keyId });
    expect(paused).toMatchObject({
      key: { endpoint_ids: [id], endpoints: [{ endpoint_id: id, disabled_reason: 'maker_ended' }] },
    });
    expect(await revokeApiKey(store, { caller: admin, keyId })).toEqual(paused);
    await answered(old);
    const handed = await revokeApiKey(store, { caller: admin, keyId, successorId: next.keyId });
    expect(handed).toMatchObject({
      key: { endpoints: [{ made_by: next.keyId, disabled_reason: null, missed_count: 1 }] },
    });
  });

  test('of a person may be a key or person of the platform, and of a key a person', async () => {
    const DEFAULT = 'acct_00000000000000000000000000';
    await aFirstKey();
    const [leaver, stayer, key] = [await aPerson(true), await aPerson(true), await aKeyOf(DEFAULT)];
    const id = await anEndpoint(leaver);
    const { keyId: staffId } = leaver;
    expect((await listStaff(store, { caller: admin, limit: 100 })).items).toContainEqual(
      expect.objectContaining({ staff_id: staffId, endpoint_ids: [id] }),
    );
    const ended = await endStaff(store, { caller: admin, staffId, successorId: key.keyId });
    expect(ended).toMatchObject({ member: { endpoint_ids: [], endpoints: [{ made_by: key.keyId }] } });
    const revoked = await revokeApiKey(store, { caller: admin, keyId: key.keyId, successorId: stayer.keyId });
    expect(revoked).toMatchObject({ key: { endpoints: [{ endpoint_id: id, made_by: stayer.keyId }] } });
    expect(await shown(leaver, id)).toMatchObject({ disabled_reason: null });
  });

  test.each<[string, (old: Caller) => Promise<string>]>([
    ['itself', ({ keyId }) => Promise.resolve(keyId)],
    ['of another account', async () => (await aKeyOf()).keyId],
    ['a person of another account', async () => (await aPerson(false)).keyId],
    ['a person of the platform, for a provider’s', async () => (await aPerson(true)).keyId],
    ['unknown', () => Promise.resolve(aPlatformCaller().keyId)],
    ['malformed', () => Promise.resolve('\0')],
    [
      'revoked',
      async ({ accountId }) => {
        const { keyId } = await aKeyOf(accountId);
        await revokeApiKey(store, { caller: admin, keyId });
        return keyId;
      },
    ],
    [
      'expired',
      async ({ accountId }) => {
        const { keyId } = await aKeyOf(accountId);
        await expire({ ...admin, keyId });
        return keyId;
      },
    ],
  ])('that is %s is refused, and the key still works', async (_, successor) => {
    const old = await aKeyOf();
    const id = await anEndpoint(old);
    const successorId = await successor(old);
    const refused = await revokeApiKey(store, { caller: admin, keyId: old.keyId, successorId });
    expect(refused).toEqual({ kind: 'no_successor' });
    expect(await shown(old, id)).toMatchObject({ made_by: old.keyId, disabled_reason: null });
    const person = await aPerson(true);
    const ofPerson = { caller: admin, staffId: person.keyId, successorId };
    if (successorId !== old.keyId)
      expect(await endStaff(store, ofPerson)).toMatchObject({ kind: expect.any(String) });
  });
});

// Without it a key that ended while its person was away would take the account's events along.
test('a key that is revoked after its date pauses nothing', async () => {
  const holder = await aKeyOf();
  const id = await anEndpoint(holder);
  const { keyId } = holder;
  const soon = { caller: admin, accountId: holder.accountId, scopes: ['requests'] as const, name: null };
  const made = await createApiKey(store, { ...soon, expiresAt: new Date(Date.now() + 1_000) });
  if (made.kind !== 'created') return expect.fail();
  const { key_id: shortId } = made.key;
  await sql('update webhook_endpoint set made_by = $1 where id = $2', [shortId, id]);
  await expect
    .poll(() => sql(`select from api_key where id = $1 and expires_at <= now()`, [shortId]))
    .toHaveLength(1);
  expect(await revokeApiKey(store, { caller: admin, keyId: shortId })).toMatchObject({
    key: { endpoints: [{ endpoint_id: id, made_by: null, disabled_reason: null }] },
  });
  await revokeApiKey(store, { caller: admin, keyId });
  expect(await shown(holder, id)).toMatchObject({ made_by: null, disabled_reason: null });
});

// Broke: the process that had looked the key up a moment before still let it create endpoints and claim work.
test('what a process does for a key within a second of its end ends as well', async () => {
  const holder = await aKeyOf();
  await revokeApiKey(store, { caller: admin, keyId: holder.keyId });
  const id = await anEndpoint(holder);
  const { leased } = await work(holder);
  await keepEnded(store, 20);
  expect(await shown(holder, id)).toMatchObject({ disabled_reason: 'maker_ended' });
  expect(await claimable()).toContain(leased);
});

test('enabling an endpoint whose maker is live leaves it to its maker', async () => {
  const holder = await aKeyOf();
  const id = await anEndpoint(holder);
  const other = await aKeyOf(holder.accountId);
  await updateEndpoint(store, { caller: other, endpointId: id, isEnabled: false });
  await updateEndpoint(store, { caller: other, endpointId: id, isEnabled: true });
  expect(await shown(holder, id)).toMatchObject({ made_by: holder.keyId, missed_count: 0 });
});

// Without it the first sign of the end of a key would be a call that is refused.
test('a key that ends within 14 days is an event, once, to its account’s endpoints', async () => {
  const { accountId } = await anAccount(store);
  const aKeyFor = async (days: number) => {
    const expiresAt = new Date(Date.now() + days * 86_400_000);
    const made = await createApiKey(store, {
      caller: admin,
      accountId,
      scopes: ['requests'],
      name: null,
      expiresAt,
    });
    return made.kind === 'created' ? made.key : expect.fail();
  };
  const [soon, revoked] = [await aKeyFor(13), await aKeyFor(12), await aKeyFor(15)];
  const caller = { ...(await aKeyOf(accountId, ['requests'])), acrossAccounts: false };
  const id = await anEndpoint(caller, ['key.expiring']);
  await revokeApiKey(store, { caller: admin, keyId: revoked.key_id });
  await suspendAccount(store, { caller: admin, accountId });
  await reportExpiringKeys(store);
  await resumeAccount(store, { caller: admin, accountId });
  await Promise.all([reportExpiringKeys(store), reportExpiringKeys(rival)]);
  await reportExpiringKeys(store);
  expect(await posted(id)).toHaveLength(1);
  const events = await sql<{ body: string }>(
    `select body from event where type = 'key.expiring' and account_id = $1`,
    [accountId],
  );
  expect(events.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { data: { key_id: soon.key_id, expires_at: soon.expires_at }, number: null },
  ]);
});
