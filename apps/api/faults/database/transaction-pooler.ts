import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { startPgBouncer } from '../ground/postgres/start-pgbouncer.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Fewer than one process's connections, so that all share all. */
const POOL_SIZE = 8;

const STARTED_MS_MAX = 30_000;

const TIMEOUTS = '15s, 1200ms, 15s';

/** Session state left in a PgBouncer backend leaks into the next client's session. */
export const transactionPooler: FaultRow = {
  number: 21,
  fault: 'everything through PgBouncer in transaction mode',
  rounds: 5,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const pooler = await startPgBouncer(ground, databaseUrl, { poolSize: POOL_SIZE });
    if (!pooler) {
      tally.holds(
        false,
        'NOT RUN HERE: there is no pgbouncer (apt-get install pgbouncer, or FAULT_EXCLUDE=21)',
      );
      return;
    }
    const start = () => startService(ground, { databaseUrl: pooler.databaseUrl });
    const receiver = await startReceiver(ground, { hostCount: 8 });
    for (let round = 0; round < ground.rounds; round += 1) {
      const startedAt = performance.now();
      // Three at once on an empty database, which they migrate.
      const together = await Promise.all(Array.from({ length: 3 }, start));
      const after = await start();
      tally.recoveredWithin(performance.now() - startedAt, STARTED_MS_MAX, 'starting four processes');
      const services = [...together, after];
      const load = startLoad(ground, { urls: services.map(({ url }) => url), callbackUrls: receiver.urls });
      await load.acknowledgedMore(400);
      await load.stop();
      await settle(ground, {
        load,
        receiver,
        databaseUrl,
        mayRepeat: false,
        strayCount: tally.acknowledgedCount,
      });
      for (const service of services)
        tally.holds((await service.stop()) === 'exit 0', `a process ended otherwise: ${service.ended()}`);

      const locks = await rows(
        databaseUrl,
        `select from pg_locks where locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database())`,
      );
      tally.holds(locks.length === 0, `${locks.length} advisory locks are left`);
      const sessions = await pooler.askEach<{ pid: number; timeouts: string; channels: number }>(
        `select pg_backend_pid() as pid, (select count(*)::int from pg_listening_channels()) as channels,
          concat_ws(', ', current_setting('statement_timeout'), current_setting('lock_timeout'),
            current_setting('idle_in_transaction_session_timeout')) as timeouts`,
      );
      tally.holds(new Set(sessions.map(({ pid }) => pid)).size === POOL_SIZE, 'not every backend was asked');
      for (const { timeouts, channels } of sessions) {
        tally.holds(timeouts === TIMEOUTS, `a backend has the time-outs ${timeouts}`);
        tally.holds(channels === 0, 'a backend listens');
      }
    }
    tally.facts.push(`${4 * ground.rounds} starts, ${POOL_SIZE} backends checked after each round`);
  },
};
