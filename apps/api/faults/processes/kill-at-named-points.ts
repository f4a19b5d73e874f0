import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@insurance-verification/testing/free-port';
import { type ServiceProcess } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { rows } from '../../test/rows.ts';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import {
  isClaim,
  isFinish,
  type Moment,
  startPostgresProxy,
} from '../ground/postgres/start-postgres-proxy.ts';
import { type Receiver, startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

/** Where the proxy in front of the database stops. */
const moments = {
  'after claim': { statement: isClaim, at: 'after commit', act: 'freeze', answering: 'msg_' },
  'before commit': { statement: isFinish, at: 'before commit', act: 'freeze' },
  'after commit': { statement: isFinish, at: 'after commit', act: 'freeze' },
} satisfies Record<string, Moment>;

const points = ['after claim', 'before send', 'after send', 'before commit', 'after commit'] as const;
type Point = (typeof points)[number];

/**
 * Points at which the receiver already has the message when the worker dies; and those without a commit that says so.
 */
const sent: ReadonlySet<Point> = new Set(['after send', 'before commit', 'after commit']);
const mayRepeat: ReadonlySet<Point> = new Set(['after send', 'before commit']);

/**
 * Kills the worker at its critical points, without hooks in its code: the proxy in front of its database stops at the
 * commit of the claim or the finish, and the receiver kills at the connection or at the request's last byte.
 */
export const killAtNamedPoints: FaultRow = {
  number: 3,
  fault: 'SIGKILL at five named points',
  rounds: 10,
  run: async (ground) => void (await Promise.all(points.map((point) => killAt(ground, point)))),
};

async function killAt(ground: Ground, point: Point): Promise<void> {
  const { tally } = ground;
  const databaseUrl = await ground.aDatabase();
  const http = await startService(ground, { databaseUrl, roles: 'http' });
  for (let round = 0; round < ground.rounds; round += 1) {
    const port = await freePort();
    const proxy = await startPostgresProxy(ground, databaseUrl);
    const worker = await startService(ground, { databaseUrl: proxy.databaseUrl, roles: 'delivery' });
    if (point in moments) void proxy.when(moments[point as keyof typeof moments]).then(worker.kill);
    // "before send": nobody reads the worker's bytes.
    const before = point === 'before send' ? await killAtConnection(port, worker) : undefined;
    let receiver = before ? undefined : await startKillingReceiver(ground, point, port, worker);
    const { request_id } = await aFinishedRequest(http.url, `http://127.0.0.1:${port}/verified`);
    await worker.whenEnded;
    const killedAt = performance.now();
    await before?.closed;
    receiver ??= await startReceiver(ground, { port });
    const sentCount = receiver.arrivalsOf(request_id).length;
    tally.holds(sentCount === (sent.has(point) ? 1 : 0), `killed ${point}: ${sentCount} had arrived by then`);

    const heir = await startService(ground, { databaseUrl, roles: 'delivery' });
    const pending = () => rows(databaseUrl, 'select 1 from delivery where done_at is null');
    await until(`what was killed ${point} is done`, async () => (await pending()).length === 0);
    tally.recovered(performance.now() - killedAt);
    await heir.stop();
    const count = receiver.arrivalsOf(request_id).length;
    tally.acknowledgedCount += 1;
    tally.lostCount += count === 0 ? 1 : 0;
    tally.duplicateCount += Math.max(0, count - 1);
    tally.holds(count > 0, `killed ${point}: it never arrived`);
    tally.holds(count === 1 || mayRepeat.has(point), `killed ${point}: it arrived ${count} times`);
  }
}

async function killAtConnection(port: number, worker: ServiceProcess) {
  const server = createServer((socket) => {
    worker.signal('SIGKILL');
    socket.destroy();
    server.close();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { closed: once(server, 'close') };
}

function startKillingReceiver(
  ground: Ground,
  point: Point,
  port: number,
  worker: ServiceProcess,
): Promise<Receiver> {
  return startReceiver(ground, {
    port,
    answer: (res, { nth }) => {
      if (point === 'after send' && nth === 1) worker.signal('SIGKILL');
      else res.writeHead(204).end();
    },
  });
}
