import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@insurance-verification/testing/free-port';
import { watchMachine } from '../../bench/machine.ts';
import type { FaultRow } from '../fault-row.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';
import { excuseOf } from '../report/excuse-of.ts';

/** Two processes on one database are drained and replaced one after the other, as in a deployment. */
export const rollingRestarts: FaultRow = {
  number: 17,
  fault: 'rolling SIGTERM restarts under load',
  rounds: 20,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, {
      hostCount: 8,
      // Slow enough that every drain finds attempts in flight.
      answer: (res) => void setTimeout(() => res.writeHead(204).end(), 50),
    });
    const ports = [await freePort(), await freePort()];
    const start = (port: number) => startService(ground, { databaseUrl, port });
    const services = await Promise.all(ports.map(start));
    const load = startLoad(ground, {
      urls: services.map(({ url }) => url),
      callbackUrls: receiver.urls,
      clientCount: 8,
    });
    const shareSince = watchMachine(ground.postmasterPid);
    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(200);
      const index = round % 2;
      const stoppedAt = performance.now();
      const ended = await services[index]?.stop();
      tally.holds(ended === 'exit 0', `a drain ended with ${ended}`);
      tally.recovered(performance.now() - stoppedAt);
      services[index] = await start(ports[index] ?? 0);
      await pause(200);
    }
    await load.stop();
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: false });
    const refused = [...load.refusals].filter(([status]) => status !== 0);
    // A 503 is a statement that ran out of time, on a machine without any to give.
    const excuse = refused.every(([status]) => status === 503) ? excuseOf(shareSince()) : null;
    tally.holds(
      refused.length === 0,
      `a drain answered ${refused.map(([status]) => status).join(', ')}`,
      excuse,
    );
    tally.facts.push(`recovery is the longest drain; ${load.refusals.get(0) ?? 0} calls got no connection`);
  },
};
