import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '@insurance-verification/payer-simulator';
import {
  addBatchRows,
  advanceWork,
  beginBatch,
  claimWork,
  completeBatch,
  type Route,
} from '@insurance-verification/store';
import { createMovableClock } from '@insurance-verification/store/testing';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import type { PayerConnection } from '../../src/config/payer-connections.ts';
import { startPolling } from '../../src/queue/start-polling.ts';
import { rows } from '../rows.ts';
import { aRequestFor } from './a-connection.ts';
import { aChannel, aRoute, succeeded } from './an-api-channel.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A payer at one address, which is away, or answers as the simulator, or with something else. */
async function aPayer() {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  let state: 'answers' | 'away' | 'garbage' = 'answers';
  let connectionCount = 0;
  const server = createServer(async (req, res) => {
    if (state === 'garbage') return void res.end('<html>maintenance</html>');
    const answer = await fetch(simulator.url, {
      method: 'POST',
      headers: { 'content-type': req.headers['content-type'] ?? '' },
      body: await new Response(req as never).bytes(),
    });
    res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    res.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.on('connection', (socket) => {
    connectionCount += 1;
    if (state === 'away') socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    become: (next: typeof state) => {
      state = next;
      server.closeAllConnections();
    },
    connectionCount: () => connectionCount,
    simulator,
  };
}

interface Night {
  readonly route?: Route;
  readonly connection?: Partial<PayerConnection>;
}

/** A payer with its channel, on a clock that the test moves. */
async function aNight({ route = aRoute('api', 'manual_phone_call'), connection = {} }: Night = {}) {
  const clock = await createMovableClock();
  onTestFinished(() => clock.drop());
  const payer = await aPayer();
  const channel = await aChannel({ route, connection, database: clock, url: payer.url });
  const { store, caller } = channel;
  const read = <T>(text: string, values: unknown[] = []) => rows<T>(clock.connectionString, text, values);
  const overdue = startPolling({
    cycle: async () => (await advanceWork(store, [route])).advancedCount > 0,
    onFailure: (err) => {
      throw err;
    },
  });
  onTestFinished(() => overdue.stop());
  return {
    clock,
    payer,
    channel,
    store,
    read,
    /** Moves the time while no lease would lapse by it, and wakes what waits for it. */
    pass: async (milliseconds: number) => {
      // Several times in a row: between two requests of a channel there is a moment without a lease.
      let quietCount = 0;
      await until('nothing is under way', async () => {
        const leased = await read(`select from work_queue where lease is not null and channel = 'api'`);
        quietCount = leased.length === 0 ? quietCount + 1 : 0;
        return quietCount === 5;
      });
      await clock.move(milliseconds);
      channel.wake();
      overdue.wake();
    },
    /** Stores a batch of requests that the payer would answer. */
    batch: async (count: number, neededBy: Date | null = null, memberId?: string) => {
      const begun = await beginBatch(store, {
        caller,
        idempotencyKey: randomUUID(),
        head: '',
        mode: 'accept_valid',
        label: null,
      });
      if (begun.kind !== 'begun') throw new Error(begun.kind);
      const receiver = { ...begun.receiver, routes: [route] };
      for (let row = 1; row <= count; row += 500)
        await addBatchRows(
          store,
          receiver,
          Array.from({ length: Math.min(500, count + 1 - row) }, (_, index) => ({
            row: row + index,
            text: String(row + index),
            reference: null,
            faults: null,
            request: {
              payerId: 'plan-1',
              input: aRequestFor(memberId ?? `W${row + index}`),
              serviceDate: null,
              neededBy,
            },
          })),
        );
      await completeBatch(store, receiver, count);
      channel.wake();
      return receiver.batchId;
    },
    /** How many requests are in each place: a channel of the queue, or an outcome. */
    places: async () => {
      const found = await read<{ place: string; count: number }>(`
        select case when outcome = 'none' then queued.channel else outcome end as place, count(*)::int as count
        from request left join work_queue queued on queued.request_id = request.id group by 1`);
      return Object.fromEntries(found.map(({ place, count }) => [place, count]));
    },
    outage: async () =>
      (
        await read<{ probe_count: number; failure_count: number; ended: boolean }>(
          `select probe_count, failure_count, ended_at is not null as ended from payer_outage order by since desc limit 1`,
        )
      )[0],
  };
}

// Breaks if an outage of an hour becomes people's calls, or ends requests that a payer answers later.
test('a batch waits for a payer that is away for an hour, and all of it is answered when it is back', async () => {
  const night = await aNight();
  night.payer.become('away');
  await night.batch(200, new Date(Date.now() + 10 * HOUR));
  await until('it is judged to be down', () => night.outage());
  const before = night.payer.connectionCount();
  for (let probe = 1; probe <= 30; probe += 1) {
    await night.pass(2 * MINUTE);
    await until(`probe ${probe}`, async () => ((await night.outage())?.failure_count ?? 0) >= 10 + probe);
  }
  expect(night.payer.connectionCount() - before).toBeLessThanOrEqual(45); // a probe each, and what was under way
  expect(await night.read(`select max(attempt_count) as max from work_queue where lease is null`)).toEqual([
    { max: 0 },
  ]);
  expect(await night.places()).not.toHaveProperty('manual_phone_call');
  night.payer.become('answers');
  await night.pass(2 * MINUTE);
  await until('all are answered', async () => (await night.places())['complete'] === 200);
  expect(await night.outage()).toMatchObject({ ended: true });
});

// Breaks if what waits for a payer waits longer than it was promised, or is lost there.
test('of a payer that stays away all goes to the next channel at the promised time, and comes back with it', async () => {
  const night = await aNight();
  night.payer.become('away');
  await night.batch(50, new Date(Date.now() + 10 * HOUR));
  await until('it is judged to be down', () => night.outage());
  await night.pass(8 * HOUR - 2 * MINUTE);
  await until('a probe', async () => (await night.outage())?.probe_count === 1);
  expect(await night.places()).toEqual(expect.not.objectContaining({ manual_phone_call: expect.anything() }));
  await night.pass(3 * MINUTE);
  await until('all moved on', async () => ((await night.places())['manual_phone_call'] ?? 0) >= 49);
  const [attempt] = await night.read<{ error_reason: string; outcome: string }>(
    `select outcome, error_reason from verification_attempt where outcome = 'timed_out' limit 1`,
  );
  expect(attempt).toEqual({ outcome: 'timed_out', error_reason: 'payer_unavailable' });
  const [leased] = (
    await claimWork(night.store, {
      caller: { keyId: 'key_9', accountId: 'acct_1', mode: 'live', acrossAccounts: true },
      routes: [night.channel.route],
      channels: ['manual_phone_call'],
      limit: 1,
      leaseSeconds: 3_600,
    })
  ).works;
  night.payer.become('answers');
  await night.pass(3 * MINUTE);
  await until('all but the leased one are answered', async () => (await night.places())['complete'] === 49);
  expect(await night.places()).toEqual({ complete: 49, manual_phone_call: 1 });
  expect(leased?.channel).toBe('manual_phone_call');
});

// Breaks if a front desk waits all night, or is called about a payer that is down.
test('a single request that is needed in thirty minutes leaves after fifteen, one without a time after an hour', async () => {
  const night = await aNight();
  night.payer.become('away');
  const needed = await night.channel.request('W1', null, new Date(Date.now() + 30 * MINUTE));
  const other = await night.channel.request('W2');
  const tries = () => night.read(`select from x12_exchange`).then(({ length }) => length);
  for (let count = 6; count < 10; count = await tries()) {
    await until('both are tried again', async () => (await tries()) > count);
    await night.pass(MINUTE);
  }
  await until('it is judged to be down', () => night.outage());
  const channelOf = async (id: string) =>
    (await night.read<{ channel: string }>(`select channel from work_queue where request_id = $1`, [id]))[0]
      ?.channel;
  await night.pass(10 * MINUTE);
  await until('a probe', async () => ((await night.outage())?.probe_count ?? 0) > 0);
  expect(await channelOf(needed)).not.toBe('manual_phone_call');
  await night.pass(5 * MINUTE);
  await until('the one is by phone', async () => (await channelOf(needed)) === 'manual_phone_call');
  expect(await channelOf(other)).not.toBe('manual_phone_call');
  await night.pass(45 * MINUTE);
  await until('the other too', async () => (await channelOf(other)) === 'manual_phone_call');
});

test('in the last channel a request ends as payer_unavailable when it is needed, also one that was never asked for', async () => {
  const night = await aNight({ route: aRoute('api') });
  night.payer.become('away');
  await night.batch(30, new Date(Date.now() + 6 * HOUR));
  await until('it is judged to be down', () => night.outage());
  await night.pass(6 * HOUR - 2 * MINUTE);
  await until('a probe', async () => (await night.outage())?.probe_count === 1);
  expect(await night.places()).not.toHaveProperty('error_verifying');
  await night.pass(3 * MINUTE);
  await until('all have ended', async () => (await night.places())['error_verifying'] === 30);
  const [request] = await night.read<{ id: string }>(`select id from request limit 1`);
  expect(await night.channel.result(request?.id ?? '')).toMatchObject({
    request: { state: 'error_verifying', error_reason: 'payer_unavailable' },
  });
});

// Breaks if garbage for everybody ends everybody's requests, or if garbage for one patient stops all others.
test('pages in place of answers are an outage; for one patient they are that patient’s', async () => {
  const night = await aNight();
  await night.channel.attempts(await night.channel.request('W1'));
  const odd = await night.channel.request('SIM-HTML');
  await night.batch(30);
  await until('the others are answered', async () => (await night.places())['complete'] === 31);
  for (let attempt = 1; attempt < 3; attempt += 1) {
    await until(
      'it waits',
      async () =>
        (
          await night.read(
            `select from work_queue where request_id = $1 and postponed and attempt_count = $2`,
            [odd, attempt],
          )
        ).length === 1,
    );
    await night.channel.attempts(await night.channel.request(`W-${attempt}`)); // the payer answers others
    await night.pass(MINUTE);
  }
  await until('it goes on', async () => (await night.places())['manual_phone_call'] === 1);
  expect(await night.outage()).toBeUndefined();
  night.payer.become('garbage');
  await night.pass(MINUTE);
  await night.batch(30);
  await until('it is judged to be down', () => night.outage());
  expect((await night.places())['manual_phone_call']).toBe(1);
});

// Breaks if the service asks a payer that has said it does not answer.
test('in an announced downtime no connection is made, and the channel stays attended', async () => {
  const from = new Date(Date.now() - MINUTE);
  const route = {
    ...aRoute('api', 'manual_phone_call'),
    skipsUnattended: true,
    apiDowntimes: [{ from, until: new Date(Date.now() + 45 * MINUTE) }],
  };
  const night = await aNight({ route });
  await night.batch(20);
  const byPhone = () =>
    claimWork(night.store, {
      caller: { keyId: 'key_9', accountId: 'acct_1', mode: 'live', acrossAccounts: true },
      routes: [route],
      channels: ['manual_phone_call'],
      limit: 20,
      leaseSeconds: 60,
    });
  for (let minute = 0; minute < 40; minute += 8) {
    await until(
      'it is attended',
      async () =>
        (await night.read(`select from channel_attendance where claimed_at > now() - interval '8 minutes'`))
          .length > 0,
    );
    expect((await byPhone()).works).toEqual([]);
    await night.pass(8 * MINUTE);
  }
  expect(night.payer.connectionCount()).toBe(0);
  await night.pass(8 * MINUTE);
  await until('all are answered', async () => (await night.places())['complete'] === 20);
});

// Breaks if a restart forgets that a payer is down, and asks it with everything at once.
test('a process that starts in an outage reads it, and counts nothing twice', async () => {
  const night = await aNight();
  night.payer.become('away');
  await night.batch(60, new Date(Date.now() + 10 * HOUR));
  await until('it is judged to be down', () => night.outage());
  for (let restart = 0; restart < 2; restart += 1) {
    await night.channel.stop(0);
    const before = night.payer.connectionCount();
    const count = (await night.outage())?.probe_count ?? 0;
    night.channel.restart();
    await night.pass(2 * MINUTE);
    await until('a probe', async () => ((await night.outage())?.probe_count ?? 0) > count);
    expect(night.payer.connectionCount() - before).toBeLessThanOrEqual(2);
  }
  night.payer.become('answers');
  await night.pass(-HOUR); // the clock is set back
  await until('a probe is due again', async () => (await night.outage())?.ended);
  await until('all are answered', async () => (await night.places())['complete'] === 60);
  expect(await night.read(`select from delivery`)).toHaveLength(60);
});

// Breaks if a night takes four times as long as its payer needs, or if a front desk waits for it.
test('a batch by itself has eighteen of twenty places, and a single request waits for none of them', async () => {
  const route = { ...aRoute('api'), inquiryCountMax: 20 };
  const night = await aNight({ route, connection: { inFlightCountMax: 20 } });
  await night.batch(36, null, 'SIM-SLOW');
  await until('the batch has its places', () => night.payer.simulator.inFlightMax === 18);
  const single = await night.channel.request('W1');
  expect(await night.channel.attempts(single)).toEqual([succeeded]);
  expect((await night.places())['complete']).toBe(1); // none of the batch is answered yet
  await until('all are answered', async () => (await night.places())['complete'] === 37);
  expect(night.payer.simulator.inFlightMax).toBeLessThanOrEqual(19);
});
