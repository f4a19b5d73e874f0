import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { freePort } from '@insurance-verification/testing/free-port';
import type { FaultRow } from '../fault-row.ts';
import { ask } from '../ground/ask.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Acknowledgements between two kills: 250 requests and their results. */
const PER_ROUND = 500;

/** Everything acknowledged before a kill exists exactly once after it. */
export const killApi: FaultRow = {
  number: 1,
  fault: 'SIGKILL of the API under load',
  rounds: 50,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const receiver = await startReceiver(ground, { hostCount: 16 });
    const port = await freePort();
    const start = () => startService(ground, { databaseUrl, port });
    let service = await start();
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls });
    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(PER_ROUND);
      const killedAt = performance.now();
      await service.kill();
      service = await start();
      await load.acknowledgedMore(1);
      tally.recovered(performance.now() - killedAt);
    }
    await load.stop();
    for (const [key, id] of load.requestIdByKey) {
      const body = aRequest({ callback_url: load.callbackUrlByKey.get(key) ?? '' });
      const again = await ask('POST', `${service.url}/requests/`, {
        body,
        headers: { 'idempotency-key': key },
      });
      const { request_id } = again.json as RequestModel;
      tally.holds(
        again.status === 200 && request_id === id,
        'a retry with the same key gave another request',
      );
    }
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true });
  },
};
