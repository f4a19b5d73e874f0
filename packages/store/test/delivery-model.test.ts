import { randomUUID } from 'node:crypto';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import type { FinishedAttempt } from '../src/delivery/finish-attempts.ts';
import {
  applyHeldOutput,
  finishAttempts,
  giveUpDelivery,
  redeliver,
  releaseLeases,
  renewLeases,
  setAside,
} from '../src/index.ts';
import * as model from '../src/testing/delivery-model.ts';
import { seededRandom } from '../src/testing/seeded-random.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { orphans } from './ground/orphans.ts';
import {
  aFinishedAttempt,
  anAccount,
  claimDue,
  hold,
  intake,
  type StoredRequest,
  submit,
} from './ground/stages.ts';
import { submitToLocalWorker } from './ground/submit-to-local-worker.ts';

const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store);

const SEQUENCES = 20;
const STEPS = 50;

interface HeldLease {
  readonly requestId: string;
  readonly version: number;
  readonly lease: FinishedAttempt['lease'];
}

/** Some requests in the database and their models, on one clock that moves only on command. */
async function twoWorlds() {
  await sql('delete from delivery_queue');
  await sql('delete from delivery_attempt');
  await sql('delete from delivery');
  const requests: StoredRequest[] = [];
  for (let count = 0; count < 3; count += 1) requests.push(await intake(store, caller));
  const queues = new Map(requests.map(({ request_id: id }) => [id, model.noDeliveries]));
  const ids = new Map<string, { requestId: string; version: number }>();
  const clock = async () => {
    const [row] = await sql<{ at: number }>('select extract(epoch from clock_timestamp())::float8 as at');
    return row?.at ?? Number.NaN;
  };
  let lookedAt = await clock();
  let now = 0;

  return {
    requests,
    queueOf: (requestId: string) => queues.get(requestId) ?? model.noDeliveries,
    set: (requestId: string, queue: model.ModelQueue) => void queues.set(requestId, queue),
    now: () => now,
    versionOf: (deliveryId: string) => ids.get(deliveryId),
    /** Moves rows into the past instead of the clock into the future, and compensates for the test's own duration. */
    pass: async (seconds: number) => {
      now += seconds;
      const by = [(await clock()) - lookedAt - seconds];
      await sql(
        `update delivery_queue set run_at = run_at + make_interval(secs => $1),
          leased_until = leased_until + make_interval(secs => $1), leased_at = leased_at + make_interval(secs => $1)`,
        by,
      );
      lookedAt = await clock();
    },
    look: async () => void (lookedAt = await clock()),
    /** Both as the same plain values, seconds rounded to the nearest five. */
    compare: async () => {
      for (const { request_id: requestId } of requests) {
        const [row] = await sql<{ text: string }>(
          `select jsonb_build_object('outcome', outcome, 'delivery', delivery, 'deliveryReason', delivery_reason,
            'deliveries', (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'version', d.version,
              'status', d.status, 'reason', d.reason, 'isDone', d.done_at is not null,
              'roundAttemptCount', d.round_attempt_count, 'claimCount', coalesce(q.claim_count, 0),
              'attemptCount', d.attempt_count, 'leaseToken', q.lease,
              'runIn', extract(epoch from q.run_at - now()), 'leaseIn', extract(epoch from q.leased_until - now()),
              'attempts', (select coalesce(jsonb_agg(a.outcome order by a.number), '[]') from delivery_attempt a
                where a.delivery_id = d.id)) order by d.version), '[]')
              from delivery d left join delivery_queue q on q.delivery_id = d.id
              where d.request_id = request.id))::text as text
           from request where id = $1`,
          [requestId],
        );
        const stored = JSON.parse(row?.text ?? '{}') as StoredQueue;
        for (const { id, version } of stored.deliveries) ids.set(id, { requestId, version });
        expect({
          ...stored,
          deliveries: stored.deliveries.map(({ id: _id, runIn, leaseIn, ...rest }) => ({
            ...rest,
            runIn: rest.isDone ? null : nearestFive(runIn),
            leaseIn: leaseIn === null ? null : nearestFive(leaseIn),
          })),
        }).toEqual(plain(queues.get(requestId) ?? model.noDeliveries, now));
      }
    },
  };
}

interface StoredQueue {
  deliveries: { id: string; version: number; isDone: boolean; runIn: number; leaseIn: number | null }[];
}

const nearestFive = (seconds: number) => Math.round(seconds / 5) * 5 + 0;

function plain({ deliveries, ...request }: model.ModelQueue, now: number) {
  return {
    ...request,
    deliveries: deliveries.map(({ runAt, leaseUntil, ...row }) => ({
      ...row,
      attemptCount: row.attempts.length,
      runIn: row.isDone ? null : runAt - now,
      leaseIn: leaseUntil === null ? null : leaseUntil - now,
    })),
  };
}

// The fault suite simulates the model: any difference would make it prove something about another store.
test.each(Array.from({ length: SEQUENCES }, (_, index) => index + 1))(
  'the model does what the statements do, sequence %i',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]): T =>
      items[Math.floor(random() * items.length)] ?? expect.fail('nothing to pick from');
    const worlds = await twoWorlds();
    const leases: HeldLease[] = [];

    const accept = async () => {
      const request = pick(worlds.requests);
      const id = request.request_id;
      const output = anOutput(request, { notes: randomUUID() });
      const isFirst = worlds.queueOf(id).deliveries.length === 0;
      const begun = isFirst && random() < 0.5 ? await submitToLocalWorker(store, output) : null;
      if (begun) leases.push({ requestId: id, version: 1, lease: begun });
      else if (isFirst) await submit(store, output);
      else await applyHeldOutput(store, { caller, heldId: await hold(store, output) });
      const leaseToken = begun?.leaseToken ?? null;
      worlds.set(id, model.accept(worlds.queueOf(id), 'complete', worlds.now(), 0, leaseToken));
    };
    const claim = async () => {
      const claimed = await claimDue(pick([store, rival]));
      const due = worlds.requests.flatMap(({ request_id: requestId }) =>
        worlds
          .queueOf(requestId)
          .deliveries.filter((row) => (model.dueAt(row) ?? Number.POSITIVE_INFINITY) <= worlds.now())
          .map(({ version }) => ({ requestId, version })),
      );
      expect(new Set(claimed.map(({ requestId, version }) => `${requestId} ${version}`))).toEqual(
        new Set(due.map(({ requestId, version }) => `${requestId} ${version}`)),
      );
      for (const { requestId, version, deliveryId, leaseToken, accountId, roundAttemptNumber } of claimed) {
        const queue = model.claim(worlds.queueOf(requestId), version, worlds.now(), leaseToken);
        worlds.set(requestId, queue);
        expect(roundAttemptNumber).toBe((queue.deliveries[version - 1]?.roundAttemptCount ?? 0) + 1);
        leases.push({
          requestId,
          version,
          lease: { deliveryId, leaseToken, requestId, version, endpointId: null, accountId },
        });
      }
    };
    /** A lease that holds, or one that was lost long ago. */
    const underLease = async (
      change: (held: HeldLease, queue: model.ModelQueue) => Promise<model.ModelQueue | null>,
    ) => {
      if (leases.length === 0) return;
      const heldLease = random() < 0.7 ? (leases.at(-1) ?? pick(leases)) : pick(leases);
      const queue = await change(heldLease, worlds.queueOf(heldLease.requestId));
      if (queue) worlds.set(heldLease.requestId, queue);
    };
    const renew = () =>
      underLease(async ({ version, lease }, queue) => {
        const held = await renewLeases(store, [lease]);
        const renewed = model.renew(queue, version, lease.leaseToken, worlds.now());
        expect(held.has(lease.deliveryId)).toBe(renewed !== null);
        return renewed;
      });
    const finish = () =>
      underLease(async ({ version, lease }, queue) => {
        const attempt = pick([
          { outcome: 'succeeded', next: { kind: 'delivered' } },
          { outcome: 'http_error', next: { kind: 'retry', delaySeconds: 0 } },
          { outcome: 'timeout', next: { kind: 'retry', delaySeconds: 60 } },
          { outcome: 'gone', next: { kind: 'exhausted', reason: 'webhook_gone' } },
        ] as const);
        const written = await finishAttempts(store, [aFinishedAttempt(lease, attempt)]);
        const finished = model.finish(queue, version, lease.leaseToken, attempt, worlds.now());
        expect(written.has(lease.deliveryId)).toBe(finished !== null);
        return finished;
      });
    const giveUp = () =>
      underLease(async ({ version, lease }, queue) => {
        const given = model.giveUp(queue, version, lease.leaseToken);
        expect((await giveUpDelivery(store, lease)).kind).toBe(given === null ? 'lease_lost' : 'given_up');
        return given;
      });
    const putAside = () =>
      underLease(async ({ version, lease }, queue) => {
        await setAside(store, lease);
        return model.setAside(queue, version, lease.leaseToken);
      });
    const release = () =>
      underLease(async ({ version, lease }, queue) => {
        await releaseLeases(store, [lease]);
        return model.release(queue, version, lease.leaseToken);
      });
    const sendAgain = async () => {
      const { request_id: requestId } = pick(worlds.requests);
      await redeliver(store, { caller, requestId });
      worlds.set(requestId, model.redeliver(worlds.queueOf(requestId), worlds.now()));
    };
    const passTime = () => worlds.pass(pick([5, 10, 15, 60]));

    const steps = [accept, claim, claim, claim, renew, finish, finish, finish].concat([
      giveUp,
      putAside,
      release,
      sendAgain,
      passTime,
      passTime,
    ]);
    await accept();
    for (let step = 0; step < STEPS; step += 1) {
      await pick(steps)();
      await worlds.look();
      await worlds.compare();
      await worlds.pass(0);
    }
  },
);

// Without it a request or a delivery could wait in no queue, or stay in one when it is finished: no foreign key sees it.
test('all that was written has its counterpart', async () => {
  expect(await orphans({ sql })).toEqual([]);
});
