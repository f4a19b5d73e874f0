import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createRestClient } from '@insurance-verification/client';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { SERVICE_COMMAND } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { startDnsServer } from '@insurance-verification/webhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { aProcess, anEnvironment } from '../process/a-process.ts';

/** A CONNECT proxy on loopback that records each target and connects all of them to this machine. */
async function aProxy() {
  const asked: (string | undefined)[] = [];
  const server: Server = createServer();
  server.on('connect', (req, socket) => {
    asked.push(req.url);
    const upstream = connect(Number(req.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const useDnsServer = fileURLToPath(new URL('../../faults/ground/use-dns-server.ts', import.meta.url));

// The proxy stands in the operator's network and may resolve internal names that outsiders must not reach.
test(
  'behind a proxy a callback goes to the address that was checked here, or nowhere',
  { timeout: 60_000 },
  async () => {
    const receiver = await aReceiver();
    const { port } = new URL(receiver.url);
    const proxy = await aProxy();
    await using dns = await startDnsServer((name) =>
      name === 'receiver.test' ? ['127.0.0.2'] : name === 'private.test' ? ['10.0.0.1'] : 'nxdomain',
    );
    const [node, ...args] = SERVICE_COMMAND;
    const env: Record<string, string> = {
      ...(await anEnvironment()),
      EGRESS_PROXY_URL: proxy.url,
      FAULT_DNS_SERVER: dns.address,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32', // stands for the receiver's public address
      WEBHOOK_RETRY_SCHEDULE: '0s',
    };
    const service = aProcess([node, '--import', useDnsServer, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const client = createRestClient({ url: await service.url(), apiKey: env['BOOTSTRAP_API_KEY'] ?? '' });

    const outcomeAt = async (callback_url: string) => {
      const request = await client.requests.create(aRequest({ callback_url }));
      const request_id = request.request_id ?? '';
      await client.verificationOutput.submit(anOutput({ ...request, request_id }));
      return until(`an attempt to ${callback_url} has ended`, async () => {
        const { items } = await client.requests.deliveries({ request_id });
        return items[0]?.attempts[0]?.outcome;
      });
    };
    expect(await outcomeAt(`http://receiver.test:${port}/verified`)).toBe('succeeded');
    expect(await outcomeAt(`http://unknown.test:${port}/verified`)).toBe('dns_failed');
    expect(await outcomeAt(`http://private.test:${port}/verified`)).toBe('blocked_address');
    expect(await outcomeAt(`http://169.254.169.254:${port}/verified`)).toBe('blocked_address');
    expect(proxy.asked).toEqual([`127.0.0.2:${port}`]);
    expect(receiver.received).toHaveLength(1);
    service.child.kill('SIGTERM');
    expect(await service.ended()).toBe('exit 0');
  },
);
