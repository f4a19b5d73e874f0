import type { VerifyWithin, WebhookEvent } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aWebhookSecret, intake } from '../../test/ground/stages.ts';
import { aRoute } from '../../test/ground/work-queue.ts';
import {
  announceWork,
  type Caller,
  createApiKey,
  findSubscription,
  removeExpired,
  revokeApiKey,
  subscribe,
  SUBSCRIPTION_COUNT_MAX,
  subscriptionIdOf,
  type SubscriptionKey,
} from '../index.ts';

const { store, rival, sql } = await openTestStores();
const operator = await anAccount(store, { kind: 'platform' });
const provider = await anAccount(store);

const routes = [aRoute(['agent_web_portal'])];
const channels = ['agent_web_portal', 'agent_phone_call'] as const;
const announce = (by = store) => announceWork(by, { routes, nameOf: () => 'Payer Plan 1', channels });

/** A caller with a key of its own. */
async function aVerifier(verifyWithin?: VerifyWithin): Promise<Caller> {
  const made = await createApiKey(store, {
    caller: operator,
    accountId: operator.accountId,
    scopes: ['verify'],
    name: 'agent',
    expiresAt: null,
    ...(verifyWithin && { verifyWithin }),
  });
  if (made.kind !== 'created') throw new Error(made.kind);
  return { ...operator, keyId: made.key.key_id };
}

async function aSubscription(
  caller: Caller,
  wanted: SubscriptionKey['wanted'] = {},
  url = 'https://a.example/',
) {
  const key = { name: 'work.available', wanted, url } as const;
  const id = subscriptionIdOf(store.vault, caller.keyId, key);
  const made = await subscribe(store, { caller, id, key, secret: aWebhookSecret(), ttlSeconds: 60 });
  return { id, made };
}

const eventsOf = async (id: string) => {
  const found = await sql<{ body: string }>(
    `select body from event join webhook_endpoint on webhook_endpoint.id = subject_id
     where subscription = $1 order by occurred_at`,
    [id],
  );
  return found.map(({ body }) => (JSON.parse(body) as WebhookEvent).data);
};

const deliver = () =>
  sql(`with queued as (delete from delivery_queue where request_id is null)
    update delivery set status = 'delivered', done_at = now() where event_id is not null and done_at is null`);

const sinceNotice = (seconds: number) =>
  sql(
    `update work_notice set at = at - make_interval(secs => $1), waiting_since = waiting_since - make_interval(secs => $1)`,
    [seconds],
  );

const older = (seconds: number) =>
  sql('update work_queue set waits_since = waits_since - make_interval(secs => $1)', [seconds]);

// Without it each request of a busy payer would wake each agent, or work that an agent left would wake no other.
test('a payer and channel is announced once in ten seconds for new work, and again while work waits', async () => {
  const caller = await aVerifier();
  const { id } = await aSubscription(caller);
  expect((await announce()).eventCount).toBe(0);
  await intake(store, provider);
  await Promise.all([announce(), announce(rival)]);
  expect(await eventsOf(id)).toEqual([{ payer: 'Payer Plan 1', channel: 'agent_web_portal', count: 1 }]);
  await intake(store, provider);
  expect((await announce()).eventCount).toBe(0); // one is still on its way
  await deliver();
  expect((await announce()).eventCount).toBe(0); // too soon
  await sinceNotice(11);
  await announce();
  expect((await eventsOf(id))[1]).toMatchObject({ count: 2 });
  await deliver();
  await older(30);
  await sinceNotice(20);
  expect((await announce()).eventCount).toBe(0); // nothing new
  await sinceNotice(41);
  expect((await announce()).eventCount).toBe(1);
  await deliver();
  await sql('update webhook_endpoint set ended_at = now() where subscription = $1', [id]);
  expect((await announce()).eventCount).toBe(0);
  await aSubscription(caller);
  expect((await announce()).eventCount).toBe(1); // a new one learns what waits
  await deliver();
});

// Without it an agent would be woken for work that its key may not claim, or a revoked key would still get posts.
test('only what the key may claim is announced, while the key is live', async () => {
  const caller = await aVerifier();
  const [free, other, kept] = [
    await aSubscription(caller),
    await aSubscription(caller, { payer: 'Payer Plan 2' }),
    await aSubscription(await aVerifier({ payer_ids: ['plan-2'] })),
  ];
  const phone = await aSubscription(caller, { channel: 'agent_phone_call' });
  await announce();
  expect(await eventsOf(free.id)).toHaveLength(1);
  for (const { id } of [other, kept, phone]) expect(await eventsOf(id)).toEqual([]);
  await deliver();
  await revokeApiKey(store, { caller: operator, keyId: caller.keyId });
  await sinceNotice(100);
  await announce();
  expect(await eventsOf(free.id)).toHaveLength(1);
  await deliver();
});

// Without it an account could have events posted to any number of addresses, or an id be guessed from another key.
test('an account has a hundred subscriptions at most; a refresh adds none, and one that ended makes room', async () => {
  const owner = await anAccount(store);
  const caller = { ...(await aVerifier()), accountId: owner.accountId };
  for (let number = 0; number < SUBSCRIPTION_COUNT_MAX; number += 1)
    expect((await aSubscription(caller, {}, `https://a.example/${number}`)).made.kind).toBe('subscribed');
  expect((await aSubscription(caller, {}, 'https://a.example/more')).made.kind).toBe('too_many');
  const { id, made } = await aSubscription(caller, {}, 'https://a.example/0');
  expect(made.kind).toBe('subscribed');
  expect(id).not.toBe((await aSubscription(await aVerifier(), {}, 'https://a.example/0')).id);
  await sql("update webhook_endpoint set expires_at = now() - interval '31 days' where subscription = $1", [
    id,
  ]);
  expect(await findSubscription(store, { caller, id })).toEqual({ kind: 'none' });
  await removeExpired(store);
  expect(await sql('select from webhook_endpoint where subscription = $1', [id])).toEqual([]);
});

// Without it a busy service would keep millions of events that say where work was a month ago.
test('what announced work is kept for an hour', async () => {
  const count = async () => (await sql(`select from event where type = 'work.available'`)).length;
  expect(await count()).toBeGreaterThan(0);
  await sql(`update event set occurred_at = now() - interval '61 minutes' where type = 'work.available'`);
  await removeExpired(store);
  expect(await count()).toBe(0);
});
