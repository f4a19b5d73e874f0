import { setTimeout as pause } from 'node:timers/promises';
import { aRequest } from '@insurance-verification/testing/a-request';
import pg from 'pg';
import { watchMachine } from '../../bench/machine.ts';
import type { FaultRow } from '../fault-row.ts';
import { ask } from '../ground/ask.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

const MINUTE_MS = 60_000;

/** Some 100 requests a second, each with its result. */
const CLIENT_COUNT = 16;
const PAUSE_MS = 150;

const CLAIM_MS_MAX = 25;

/** Between two claims that are timed. */
const CLAIM_EVERY_MS = 250;

/** A round is a minute in which a session forgets its transaction, and no vacuum removes what the queues leave. */
export const heldSnapshot: FaultRow = {
  number: 34,
  fault: 'a snapshot held open for 30 minutes: a forgotten transaction, a dump',
  rounds: 30,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 16 });
    const service = await startService(ground, { databaseUrl });
    // Waits for the verifier whose claims are timed: the load's requests get their results from elsewhere.
    for (let made = 0; made < 20; made += 1)
      await ask('POST', `${service.url}/requests/`, {
        body: aRequest({ callback_url: receiver.urls[0] ?? '' }),
      });
    const forgotten = new pg.Client({ connectionString: databaseUrl, application_name: 'forgotten' });
    forgotten.on('error', () => undefined); // the database may be gone first, at the row's end
    await forgotten.connect();
    ground.stack.defer(() => forgotten.end());
    await forgotten.query('set idle_in_transaction_session_timeout = 0');
    await forgotten.query('begin isolation level repeatable read');
    await forgotten.query('select count(*) from request');
    const shareSince = watchMachine(ground.postmasterPid);
    const load = startLoad(ground, {
      urls: [service.url],
      callbackUrls: receiver.urls,
      clientCount: CLIENT_COUNT,
      pauseMs: PAUSE_MS,
    });
    const until = performance.now() + ground.rounds * MINUTE_MS;
    const claimsMs: number[] = [];
    while (performance.now() < until) {
      const body = { channels: ['manual_phone_call', 'agent_web_portal'], max: 1 };
      const askedAt = performance.now();
      const { status } = await ask('POST', `${service.url}/work/claim`, { body });
      claimsMs.push(performance.now() - askedAt);
      tally.holds(status === 200, `a claim was answered ${status}`);
      await pause(CLAIM_EVERY_MS);
    }
    const lastMs = claimsMs.slice(-60).toSorted((a, b) => a - b);
    const medianMs = lastMs[Math.floor(lastMs.length / 2)] ?? Number.NaN;
    tally.holds(
      medianMs <= CLAIM_MS_MAX,
      `after ${ground.rounds} minutes a claim took ${Math.round(medianMs)} ms`,
      excuseOf(shareSince()),
    );
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    tally.holds(
      /^ivs_database_oldest_snapshot_seconds\{session="pid \d+, [^"]*forgotten[^"]*"\}/m.test(metrics),
      'no metric names the session that holds the snapshot',
    );
    await forgotten.query('rollback');
    await load.stop();
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: false, strayCount: 20 });
  },
};
