import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { until } from '@insurance-verification/testing/until';
import { startDnsServer } from '@insurance-verification/webhook/testing';
import type { FaultRow, Ground } from '../fault-row.ts';
import { aFinishedRequest, deliveryOf } from '../ground/a-finished-request.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

// Nothing leaves the machine: 127.0.0.2 is allowed and stands for a public address, 127.0.0.1 for a private one.
const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';

/** Spellings of this machine's and its network's addresses. packages/webhook has the whole table. */
const literals = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  'localhost',
  '[::1]',
  '0.0.0.0',
].concat(['[::ffff:127.0.0.1]', '①②⑦.⓪.⓪.①', '[::]', 'sub.localhost']);

const METADATA = 'http://169.254.169.254/latest/meta-data/';

export const forbiddenAddresses: FaultRow = {
  number: 11,
  fault: 'redirects and rebinding DNS towards forbidden addresses',
  rounds: 10,
  run: async (ground) => {
    const { tally } = ground;
    const trap = await startTrap(ground);
    // DNS rebinding: public at the check, private at the next lookup. It defeats a check that resolves the name again.
    const asked = new Map<string, number>();
    const dns = await startDnsServer((name, family) => {
      if (family === 6) return [];
      const count = (asked.get(name) ?? 0) + 1;
      asked.set(name, count);
      if (name.startsWith('mixed')) return [PUBLIC, PRIVATE];
      if (name.startsWith('private')) return [PRIVATE];
      return count % 2 === 1 ? [PUBLIC] : [PRIVATE];
    });
    ground.stack.use(dns);
    const service = await startService(ground, {
      databaseUrl: await ground.aDatabase(),
      env: {
        WEBHOOK_ALLOW_CIDRS: `${PUBLIC}/32`,
        WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s',
        NODE_OPTIONS: `--import=${new URL('../ground/use-dns-server.ts', import.meta.url).href}`,
        FAULT_DNS_SERVER: dns.address,
      },
    });
    const redirects = [`http://${PRIVATE}:${trap.port}/`, METADATA, `//${PRIVATE}:${trap.port}/`];
    let redirectCount = 0;
    // One per round: after ten failures its host's breaker would open.
    const startRedirecting = () =>
      startReceiver(ground, {
        host: PUBLIC,
        answer: (res) => {
          const location = redirects[(redirectCount += 1) % redirects.length] ?? '';
          res.writeHead([301, 302, 303, 307, 308][redirectCount % 5] ?? 302, { location }).end();
        },
      });
    const attempts = async (url: string) => {
      const { request_id } = await aFinishedRequest(service.url, url);
      const delivery = await until(`the attempts at ${url} are over`, async () => {
        const found = await deliveryOf(service.url, request_id);
        return found.status === 'exhausted' && found;
      });
      tally.acknowledgedCount += 1;
      return delivery.attempts.map(({ outcome }) => outcome);
    };
    const only = async (url: string, allowed: readonly string[]) => {
      const outcomes = await attempts(url);
      tally.holds(
        outcomes.length === 4 && outcomes.every((outcome) => allowed.includes(outcome)),
        `${url} came to ${outcomes.join(', ')}`,
      );
    };
    for (let round = 0; round < ground.rounds; round += 1) {
      const redirecting = await startRedirecting();
      await Promise.all([
        ...literals.map((host) => only(`http://${host}:${trap.port}/`, ['blocked_address'])),
        only(METADATA, ['blocked_address']),
        only(redirecting.urls[0] ?? '', ['redirected']),
        only(`http://mixed${round}.test:${trap.port}/`, ['blocked_address']),
        only(`http://private${round}.test:${trap.port}/`, ['blocked_address']),
        // The public stand-in has no listener on the trap's port; what counts is that the trap is never reached.
        only(`http://flips${round}.test:${trap.port}/`, ['blocked_address', 'connection_failed', 'timeout']),
      ]);
    }
    tally.holds(
      [...asked.values()].some((count) => count > 1),
      'no name was ever asked for twice',
    );
    tally.holds(redirectCount >= ground.rounds, 'nobody was redirected');
    tally.holds(trap.connectionCount() === 0, `${trap.connectionCount()} connections to a forbidden address`);
    tally.facts.push(`${trap.connectionCount()} connections to the trap`);
  },
};

/** Listens on every address of this machine but the allowed one. No call may arrive. */
async function startTrap({ stack }: Ground) {
  let count = 0;
  const onConnection = () => void (count += 1);
  const first = createServer(onConnection).listen(0, PRIVATE);
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const second = createServer(onConnection).listen(port, '::1');
  await once(second, 'listening');
  stack.defer(() => void (first.close(), second.close()));
  return { port, connectionCount: () => count };
}
