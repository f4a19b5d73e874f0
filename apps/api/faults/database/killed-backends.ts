import { rows } from '../../test/rows.ts';
import type { FaultRow } from '../fault-row.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** An operator, a failover or a proxy closes idle connections, the listening one included. */
export const killedBackends: FaultRow = {
  number: 9,
  fault: 'idle backends killed',
  rounds: 50,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 4 });
    const service = await startService(ground, { databaseUrl });
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls, clientCount: 4 });
    let killedCount = 0;
    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(20);
      const killedAt = performance.now();
      const killed = await rows(
        databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()`,
      );
      killedCount += killed.length;
      await load.acknowledgedMore(8, 30_000);
      tally.recovered(performance.now() - killedAt);
    }
    await load.stop();
    tally.facts.push(`${killedCount} backends ended`);
    tally.holds(killedCount >= ground.rounds, 'there was nothing idle to kill');
    tally.holds(service.ended() === null, `the process ended: ${service.ended()}`);
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true });
    tally.holds((await service.stop()) === 'exit 0', 'the process did not stop in peace');
  },
};
