import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { startServiceProcess } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { send } from '../send.ts';
import { finishedRequests } from './deliveries.ts';

// Slow: it starts and kills processes, and waits until their leases of deliveries end.

/** A receiver that answers when it is told to, and counts the calls that it has at once. */
async function aCountingReceiver() {
  let now = 0;
  let most = 0;
  const ids = new Set<string>();
  const waiting = new Set<() => void>();
  let isHeld = true;
  const server = createServer((req, res) => {
    now += 1;
    most = Math.max(most, now);
    res.on('close', () => (now -= 1));
    req.resume().on('end', () => {
      const answer = () => {
        ids.add(String(req.headers['webhook-id']));
        res.writeHead(204).end();
      };
      if (isHeld) waiting.add(answer);
      else setImmediate(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    now: () => now,
    most: () => most,
    count: () => ids.size,
    hold: () => void (isHeld = true),
    flow: () => {
      isHeld = false;
      for (const answer of waiting) answer();
      waiting.clear();
    },
  };
}

const patience = { timeout: 180_000 };

// Breaks if each of three processes makes ten calls to one host, or if a host waits for ever for one that was killed.
test(
  'ten calls to a host are ten of the service, through kills and starts of processes',
  patience,
  async () => {
    const { connectionString: databaseUrl } = await createTestDatabase();
    const http = await aService({ databaseUrl, env: { ROLES: 'http' } });
    const receiver = await aCountingReceiver();
    const start = () => startServiceProcess({ databaseUrl, roles: 'delivery' });
    const processes = await Promise.all([start(), start(), start()]);
    onTestFinished(async () => void (await Promise.all(processes.map(({ kill }) => kill()))));
    const shares = async () => {
      const text =
        'select count(*)::int as count from delivery_shard where owner is not null group by owner order by 1';
      const counted = await rows<{ count: number }>(databaseUrl, text);
      return counted.map(({ count }) => count).join(' ');
    };
    await until('the three have divided the hosts', async () => (await shares()) === '84 86 86');

    receiver.flow();
    await finishedRequests(http, Array<string>(30).fill(receiver.url));
    await until('the host has earned its places', () => receiver.count() === 30);
    receiver.hold();
    await finishedRequests(http, Array<string>(60).fill(receiver.url));
    await until('the host has all that it may', () => receiver.now() === 10);

    const underWay = await Promise.all(
      processes.map(async ({ url }) => {
        const { text } = await send('GET', `${url}/metrics`);
        return Number(/^ivs_deliveries_in_flight (\d+)$/m.exec(text)?.[1]);
      }),
    );
    expect(underWay.toSorted((one, other) => one - other)).toEqual([0, 0, 10]);

    // Its calls end with it; whoever has the host next begins when its lease has ended.
    const caller = underWay.indexOf(10);
    await processes[caller]?.kill();
    processes[caller] = await start();
    await until('three have divided the hosts anew', async () => (await shares()) === '84 86 86');
    receiver.flow();
    await until('all has arrived', () => receiver.count() === 90);
    expect(receiver.most()).toBe(10);
  },
);
