import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { type Caller, finishAttempts, heartbeatWork, type Store } from '../src/index.ts';
import { openTestStores, type TestStores } from './ground/open-test-stores.ts';
import { rowsReadBy } from './ground/rows-read-by.ts';
import { aFinishedAttempt, aFinishedRequest, anAccount, claimDue, intake, submit } from './ground/stages.ts';
import { aVerifier, claimOne, fail, release, submitFound } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 60_000 });

const BURST_COUNT = 5_000;

/** Accounts, requests that wait, others whose attempt is open, and deliveries, none of which is due. */
async function burst({ sql }: TestStores, modelId: string): Promise<void> {
  const copies = 'generate_series(1, $2::int) n';
  const id = (kind: 'req' | 'msg', of: 'a' | 'b' | 'c') =>
    `'${kind}' || substr($1, 4, 9) || '${of}' || lpad(n::text, 17, '0')`;
  const insert = (text: string) => sql(text, [modelId, BURST_COUNT]);
  await insert(
    `insert into account (id, name, kind, mode, webhook_secret)
     select 'acct_b' || lpad(n::text, 25, '0'), account.name, kind, mode, webhook_secret
     from account join request on account.id = account_id, ${copies} where request.id = $1`,
  );
  for (const of of ['a', 'b'] as const)
    await insert(
      `insert into request (id, account_id, payer_id, payer_name, input, member_index)
       select ${id('req', of)}, account_id, payer_id, payer_name, input, member_index from request, ${copies} where id = $1`,
    );
  await insert(
    `insert into work_queue (request_id, account_id, pool, payer_id, waits_since)
     select ${id('req', 'a')}, account_id, 'live', payer_id, now() + interval '1 day' from request, ${copies} where id = $1`,
  );
  await insert(
    `insert into work_queue (request_id, account_id, pool, payer_id, channel, channel_until, attempt_count, lease, leased_at,
       leased_until)
     select ${id('req', 'b')}, account_id, 'live', payer_id, 'agent_web_portal', now() + interval '1 day', 1,
       gen_random_uuid(), now(), now() + interval '1 day'
     from request, ${copies} where id = $1`,
  );
  await insert(
    `insert into verification_attempt (request_id, number, account_id, payer_id, channel, key_id)
     select ${id('req', 'b')}, 1, account_id, payer_id, 'agent_web_portal', 'key_1' from request, ${copies} where id = $1`,
  );
  await insert(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version)
     select ${id('req', 'c')}, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version
     from request, ${copies} where id = $1`,
  );
  await insert(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req', 'c')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
  );
  await insert(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host)
     select ${id('msg', 'c')}, ${id('req', 'c')}, version, account_id, destination, sha256((n % 3)::text::bytea)
     from delivery, ${copies} where request_id = $1`,
  );
  await insert(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
     select destination_host, account_id, now() + interval '1 day', id, request_id
     from delivery, ${copies} where id = ${id('msg', 'c')} and request_id <> $1`,
  );
}

/** What each step of a request's life reads. */
async function rowsOfSteps(session: Store, caller: Caller): Promise<Record<string, number>> {
  const verifier = aVerifier();
  const reads: Record<string, number> = {};
  const step = async <Taken>(name: string, take: () => Promise<Taken>): Promise<Taken> => {
    let taken: Taken | undefined;
    reads[name] = await rowsReadBy(session, async () => (taken = await take()));
    return taken as Taken;
  };
  const claimed = async (name: string) => {
    await intake(session, caller);
    return step(name, () => claimOne(session, { caller: verifier }));
  };
  const work = await claimed('claim');
  const lease = { caller: verifier, requestId: work.requestId, leaseToken: work.leaseToken };
  await step('heartbeat', () => heartbeatWork(session, { ...lease, leaseSeconds: 60 }));
  await step('submit', () => submitFound(session, work, { caller: verifier }));
  const released = await claimed('claim before a release');
  await step('release', () => release(session, released));
  const failed = await claimed('claim before a failure');
  await step('fail', () => fail(session, failed));
  const taken = await intake(session, caller);
  await step('output', () => submit(session, anOutput(taken)));
  await step('correction', () => submit(session, anOutput(taken, { notes: 'Corrected.' })));
  const due = await step('claim of deliveries', () => claimDue(session));
  expect(due).toHaveLength(2);
  const [delivered, retried] = due.map((one) => aFinishedAttempt(one));
  if (!delivered || !retried) throw new Error('Two are due.');
  await step('delivered', () => finishAttempts(session, [delivered]));
  const next = { kind: 'retry', delaySeconds: 86_400 } as const;
  await step('to be retried', () => finishAttempts(session, [{ ...retried, next }]));
  return reads;
}

// Broke: the plans of a time when little waited read by any index, since then all cost the same. When thousands waited, and
// until the next analyze, each delivery that ended read all that were queued, each result all open attempts, and each
// claim all waiting requests.
test.for([
  { waitingCount: 0, clean: 'analyze' },
  { waitingCount: 0, clean: 'vacuum analyze' },
  { waitingCount: 2, clean: 'vacuum analyze' },
])(
  'a step planned when $waitingCount waited after $clean reads no more after a burst',
  async ({ waitingCount, clean }) => {
    const stores = await openTestStores();
    const { store, sql } = stores;
    const caller = await anAccount(store);
    const { request_id: modelId } = await aFinishedRequest(store, caller);
    const session = await stores.open({ connectionCountMax: 1 });
    const postpone = () => sql(`update delivery_queue set run_at = now() + interval '1 day'`);
    await postpone();
    await rowsOfSteps(session, caller);
    for (const queue of ['work_queue', 'delivery_queue']) await sql(`delete from ${queue}`);
    await sql('update verification_attempt set ended_at = now() where ended_at is null');
    for (let count = 0; count < waitingCount; count += 1) {
      await intake(store, caller);
      await aFinishedRequest(store, caller);
    }
    await postpone();
    await sql(clean);
    const few = await rowsOfSteps(session, caller);
    await burst(stores, modelId);
    const many = await rowsOfSteps(session, caller);
    for (const [name, count] of Object.entries(many)) {
      expect(count, name).toBeGreaterThan(0);
      expect(count, name).toBeLessThan((few[name] ?? 0) + 30);
    }
  },
);
