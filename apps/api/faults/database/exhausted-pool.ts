import { setTimeout as pause } from 'node:timers/promises';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import pg from 'pg';
import { watchMachine } from '../../bench/machine.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import { ask } from '../ground/ask.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

const LOCKED_MS = 30_000;

const ANSWERED_MS_MAX = 2_000;

/** More callers than connections, all waiting for one lock, so that other calls find no free connection. */
const CALLER_COUNT = 60;

export const exhaustedPool: FaultRow = {
  number: 7,
  fault: 'pool exhausted: a table locked for 30 s',
  rounds: 2,
  run: async (ground) => {
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground);
    const service = await startService(ground, { databaseUrl });
    const { request_id } = await aFinishedRequest(service.url, receiver.urls[0] ?? '');
    for (let round = 0; round < ground.rounds; round += 1)
      await lockTable(ground, databaseUrl, service.url, request_id);
    const { request_id: last } = await aFinishedRequest(service.url, receiver.urls[0] ?? '');
    await until('a webhook comes again', () => receiver.requestIds.has(last));
    ground.tally.acknowledgedCount += 2;
    ground.tally.holds(service.ended() === null, 'the process ended');
  },
};

async function lockTable(
  { tally, stack, postmasterPid }: Ground,
  databaseUrl: string,
  url: string,
  requestId: string,
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stack.defer(() => client.end());
  await client.query('set idle_in_transaction_session_timeout = 0; set lock_timeout = 0');
  await client.query('begin; lock table request in access exclusive mode');
  const unlockAt = performance.now() + LOCKED_MS;
  let worstMs = 0;
  let answerCount = 0;
  const shareSince = watchMachine(postmasterPid);

  const caller = async (index: number) => {
    while (performance.now() < unlockAt - 2 * ANSWERED_MS_MAX) {
      const askedAt = performance.now();
      const answer = await (index % 2 === 0
        ? ask('GET', `${url}/requests/${requestId}`)
        : ask('POST', `${url}/requests/`, { body: aRequest() }));
      const ms = performance.now() - askedAt;
      worstMs = Math.max(worstMs, ms);
      answerCount += 1;
      tally.holds(
        answer.status === 503 && answer.headers['retry-after'] !== undefined,
        `a call was answered ${answer.status} while the table was locked`,
      );
    }
  };
  let worstLiveMs = 0;
  const watch = async () => {
    while (performance.now() < unlockAt - 2 * ANSWERED_MS_MAX) {
      const askedAt = performance.now();
      const { status } = await ask('GET', `${url}/livez`);
      worstLiveMs = Math.max(worstLiveMs, performance.now() - askedAt);
      tally.holds(status === 200, `/livez answered ${status} while the table was locked`);
      await pause(100);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: CALLER_COUNT }, (_, index) => caller(index))]);
  await client.query('rollback');
  const unlockedAt = performance.now();
  await until(
    'a read is answered',
    async () => (await ask('GET', `${url}/requests/${requestId}`)).status === 200,
  );
  tally.recovered(performance.now() - unlockedAt);
  // The latency of /livez, which needs no database, is the machine's own share.
  tally.holds(
    worstMs <= ANSWERED_MS_MAX + worstLiveMs,
    `a call was answered after ${Math.round(worstMs)} ms, /livez after ${Math.round(worstLiveMs)} ms`,
    excuseOf(shareSince()),
  );
  tally.facts.push(
    `${answerCount} calls answered 503 within ${Math.round(worstMs)} ms, /livez within ${Math.round(worstLiveMs)} ms`,
  );
}
