import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import { ask } from '../ground/ask.ts';
import { startPostgresProxy } from '../ground/postgres/start-postgres-proxy.ts';
import { settle } from '../ground/settle.ts';
import { startLoad } from '../ground/start-load.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const NOTICED_MS_MAX = 20_000;

/**
 * The connections swallow every byte without an error, as behind a firewall that forgot them. At first new connections
 * work, then they are swallowed too.
 */
export const halfOpenConnections: FaultRow = {
  number: 6,
  fault: 'half-open TCP to PostgreSQL',
  rounds: 3,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    const proxy = await startPostgresProxy(ground, databaseUrl);
    const receiver = await startReceiver(ground, { hostCount: 4 });
    const service = await startService(ground, { databaseUrl: proxy.databaseUrl });
    const load = startLoad(ground, { urls: [service.url], callbackUrls: receiver.urls });
    for (let round = 0; round < ground.rounds; round += 1) {
      await load.acknowledgedMore(200);
      const frozenAt = performance.now();
      proxy.freeze({ newPass: true });
      await load.acknowledgedMore(2 * 16, 40_000);
      tally.recoveredWithin(
        performance.now() - frozenAt,
        NOTICED_MS_MAX,
        'storing again past dead connections',
      );
      const { request_id } = await aFinishedRequest(service.url, receiver.urls[0] ?? '');
      await until('the worker sends again', () => receiver.requestIds.has(request_id), 40_000);
      tally.recoveredWithin(
        performance.now() - frozenAt,
        NOTICED_MS_MAX,
        'sending again past dead connections',
      );
    }
    await load.acknowledgedMore(50);
    proxy.freeze({ newPass: false });
    const askedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('POST', `${service.url}/requests/`, { body: aRequest() })),
    );
    tally.holds(
      performance.now() - askedAt < NOTICED_MS_MAX,
      'a call waited 20 s for a database that is silent',
    );
    tally.holds(
      answers.every(({ status, headers }) => status === 503 && headers['retry-after'] !== undefined),
      'a call to a silent database was not answered 503 with Retry-After',
    );
    const { status } = await ask('GET', `${service.url}/livez`);
    tally.holds(status === 200, `/livez answered ${status} without a database`);
    proxy.thaw();
    await load.acknowledgedMore(2 * 16, 40_000);
    await load.stop();
    await settle(ground, { load, receiver, databaseUrl, mayRepeat: true, strayCount: ground.rounds });
  },
};
