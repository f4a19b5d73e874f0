import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedServer } from '@insurance-verification/store';
import type { FaultRow } from '../fault-row.ts';
import { aFolder } from '../ground/a-folder.ts';
import { createDatabase } from '../ground/postgres/create-database.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const SETTLED_MS_MAX = 60_000;

/** A server restarted repeatedly: alternating fast shutdowns and immediate ones, which recover from the log. */
export const restartingDatabase: FaultRow = {
  number: 5,
  fault: 'PostgreSQL restarts every 5–10 s for minutes',
  rounds: 24,
  run: async (ground) => {
    const { tally } = ground;
    const server = await startEmbeddedServer({ dataDir: aFolder(ground.stack) });
    ground.stack.defer(() => server.stop());
    const databaseUrl = await createDatabase(server.connectionString);
    const receiver = await startReceiver(ground, { hostCount: 16 });
    const http = await startService(ground, { databaseUrl });
    const worker = await startService(ground, { databaseUrl, roles: 'delivery' });
    const load = startLoad(ground, { urls: [http.url], callbackUrls: receiver.urls });
    for (let round = 0; round < ground.rounds; round += 1) {
      await pause(5_000 + Math.random() * 5_000);
      const restartedAt = performance.now();
      process.kill(server.pid, round % 2 === 0 ? 'SIGINT' : 'SIGQUIT');
      await load.acknowledgedMore(2 * 16, 30_000);
      tally.recovered(performance.now() - restartedAt);
    }
    await load.stop();
    const settledMs = await settle(ground, { load, receiver, databaseUrl, mayRepeat: true });
    tally.holds(settledMs < SETTLED_MS_MAX, `the last delivery came ${settledMs} ms after the last restart`);
    tally.facts.push(`all done ${(settledMs / 1000).toFixed(1)} s after the load ended`);
    for (const each of [http, worker])
      tally.holds(each.ended() === null, `a process ended with its database: ${each.ended()}`);
  },
};
