import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { DeliveryList } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFinishedRequest } from '../ground/a-finished-request.ts';
import { answerOf } from '../ground/ask.ts';
import { createAccountKey } from '../ground/create-account-key.ts';
import { startService } from '../ground/start-service.ts';

const ATTEMPT_MS_MAX = 20_500;
const MB_PER_HUNDRED_MAX = 20;
const PER_ROUND = 100;

const bomb = gzipSync(Buffer.alloc(50_000_000));
const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Writes a piece repeatedly, as fast as the peer reads or one every few milliseconds. */
function keepWriting(socket: Socket, piece: string | Buffer, everyMs: number): void {
  if (!socket.destroyed) socket.write(piece, () => setTimeout(keepWriting, everyMs, socket, piece, everyMs));
}

/** What a receiver does once it has the start of a request, and the attempt's expected outcome: the status line decides. */
const receivers: readonly [what: string, outcome: string, answer: (socket: Socket) => void][] = [
  [
    'slow',
    'succeeded',
    (socket) => void setTimeout(() => socket.end(`${HEAD}content-length: 0\r\n\r\n`), 10_000),
  ],
  ['hangs before headers', 'timeout', () => undefined],
  ['hangs mid-body', 'succeeded', (socket) => void socket.write(`${HEAD}content-length: 9\r\n\r\nhalf`)],
  [
    'drips its body',
    'succeeded',
    (socket) => (socket.write(`${HEAD}content-length: 99999\r\n\r\n`), keepWriting(socket, 'z', 200)),
  ],
  ['drips its headers', 'succeeded', (socket) => (socket.write(`${HEAD}x: `), keepWriting(socket, 'y', 200))],
  [
    'sends a body without end',
    'succeeded',
    (socket) => (socket.write(`${HEAD}\r\n`), keepWriting(socket, Buffer.alloc(16_384), 0)),
  ],
  [
    'sends a header of 20 KB',
    'succeeded',
    (socket) => void socket.write(`${HEAD}x: ${'y'.repeat(20_480)}\r\n\r\n`),
  ],
  [
    'sends a gzip bomb',
    'succeeded',
    (socket) =>
      void socket.write(
        Buffer.concat([
          Buffer.from(
            `${HEAD}content-encoding: gzip\r\nconnection: close\r\ncontent-length: ${bomb.length}\r\n\r\n`,
          ),
          bomb,
        ]),
      ),
  ],
];

/** Attempts at receivers that stall, flood or drip; one attempt each, so that each delivery ends. */
export const hostileReceivers: FaultRow = {
  number: 10,
  fault: 'receivers that hang, drip, flood, bomb',
  rounds: 10,
  run: async (ground) => {
    const { tally } = ground;
    const databaseUrl = await ground.aDatabase();
    // Enough ports that no host reaches the ten attempts that would open its breaker.
    const hostCount = Math.min(2 * ground.rounds, 20);
    const hosts = await Promise.all(
      Array.from({ length: hostCount }, () =>
        receivers.map(([, , answer]) => startHostile(ground, answer)),
      ).flat(),
    );
    const env = { WEBHOOK_RETRY_SCHEDULE: '0s' };
    const { url } = await startService(ground, { databaseUrl, roles: 'http', env });
    const worker = await startService(ground, { databaseUrl, roles: 'delivery', env });
    // One account has at most 100 attempts in flight.
    const keys = await Promise.all(Array.from({ length: 3 }, () => createAccountKey(url)));
    const run = async (count: number) => {
      const made: { id: string; key: string; kind: number }[] = [];
      for (let index = 0; index < count; index += 1) {
        const key = keys[index % keys.length] ?? '';
        const host = hosts[index % hosts.length];
        const request = await aFinishedRequest(url, host?.url ?? '', key);
        made.push({ id: request.request_id, key, kind: index % receivers.length });
      }
      for (const { id, key, kind } of made) {
        const [what, expected] = receivers[kind] ?? [];
        const delivery = await until(
          `the attempt at one that ${what} is over`,
          async () => {
            const { items } = await answerOf<DeliveryList>('GET', `${url}/requests/${id}/deliveries`, {
              key,
            });
            return items[0]?.status !== 'pending' && items[0];
          },
          180_000,
        );
        const [attempt] = delivery.attempts;
        tally.acknowledgedCount += 1;
        tally.holds(attempt?.outcome === expected, `one that ${what} ended as ${attempt?.outcome}`);
        tally.recoveredWithin(attempt?.duration_ms ?? 0, ATTEMPT_MS_MAX, `an attempt at one that ${what}`);
      }
    };
    // The first attempts load lazy modules and size the pools.
    await run(receivers.length * 2);
    const before = await atRest(worker.pid);
    await run(ground.rounds * PER_ROUND);
    const openCount = () => hosts.reduce((sum, host) => sum + host.openCount(), 0);
    await until('no socket is open at the receivers', () => openCount() === 0);
    const after = await atRest(worker.pid);
    const growthMb = (after.memoryMb - before.memoryMb) / ground.rounds;
    tally.holds(growthMb < MB_PER_HUNDRED_MAX, `memory grew by ${growthMb.toFixed(1)} MB per 100 attempts`);
    tally.holds(
      after.socketCount <= before.socketCount + 2,
      `${after.socketCount} sockets are open after it, ${before.socketCount} before`,
    );
    tally.facts.push(
      `sockets ${before.socketCount} → ${after.socketCount}; memory ${before.memoryMb.toFixed(0)} → ${after.memoryMb.toFixed(0)} MB, at most ${after.peakMemoryMb.toFixed(0)} MB; longest attempt ${tally.worstRecoveryMs} ms`,
    );
    tally.worstRecoveryMs = null;
  },
};

async function startHostile({ stack }: Ground, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/verified`, openCount: () => sockets.size };
}

/** A worker's figures once its idle database connections have closed, which takes ten seconds. */
async function atRest(pid: number) {
  let least = socketCount(pid);
  let leastAt = performance.now();
  await until(
    'the worker is at rest',
    () => {
      const count = socketCount(pid);
      if (count < least) [least, leastAt] = [count, performance.now()];
      return performance.now() - leastAt > 12_000;
    },
    120_000,
  );
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { socketCount: least, memoryMb: megabytes('VmRSS'), peakMemoryMb: megabytes('VmHWM') };
}

function socketCount(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false; // closed in the meantime
    }
  }).length;
}
