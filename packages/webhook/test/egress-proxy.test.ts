import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDnsServer } from '../src/testing/start-dns-server.ts';
import { listen } from './listen.ts';
import { aSender, post } from './senders.ts';

const pem = (name: string) => readFileSync(new URL(`./tls/${name}.pem`, import.meta.url), 'utf8');

/** A CONNECT proxy that notes what it is asked for and takes every host for 127.0.0.1. */
function aProxy({ status = 200, server = createHttpServer() } = {}) {
  const asked: { authority: string | undefined; authorization: string | undefined }[] = [];
  server.on('connect', (req, socket) => {
    asked.push({ authority: req.url, authorization: req.headers['proxy-authorization'] });
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(req.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return { server, asked };
}

test('tunnels http and https to the checked address, with the credentials of the proxy address and not those of the callback', async () => {
  const { server, asked } = aProxy();
  await using proxy = await listen(server);
  await using plain = await listen(createHttpServer((_req, res) => res.end('plain')));
  await using encrypted = await listen(
    createHttpsServer({ cert: pem('valid.crt'), key: pem('valid.key') }, (_req, res) => res.end('encrypted')),
  );
  await using dns = await startDnsServer(() => ['127.0.0.1']);
  await using sender = aSender({
    egressProxyUrl: `http://us%40er:pw@127.0.0.1:${proxy.port}`,
    trustedCa: [pem('ca.crt')],
    dnsServers: [dns.address],
  });
  const results = [
    await post(sender, `http://receiver.test:${plain.port}/`),
    await post(sender, `https://other:secret@receiver.test:${encrypted.port}/`),
  ];
  expect(results.map((result) => Buffer.from(result.responseSnippet ?? []).toString())).toEqual([
    'plain',
    'encrypted',
  ]);
  const authorization = `Basic ${Buffer.from('us@er:pw').toString('base64')}`;
  expect(asked).toEqual(
    [plain.port, encrypted.port].map((port) => ({ authority: `127.0.0.1:${port}`, authorization })),
  );
  expect(new Set(dns.queries)).toEqual(new Set(['receiver.test']));
});

// Such a name went to the proxy unchecked, which may well know it: its own metadata service, a host of its network.
test.each(['nxdomain', 'silent'] as const)(
  'a name that cannot be resolved here (%s) is not sent to the proxy',
  async (answer) => {
    const { server } = aProxy();
    await using proxy = await listen(server);
    await using dns = await startDnsServer(() => answer);
    await using sender = aSender({
      egressProxyUrl: `http://127.0.0.1:${proxy.port}`,
      dnsServers: [dns.address],
      connectTimeoutMs: 500,
    });
    for (const url of ['http://metadata.internal/', 'https://metadata.internal/'])
      expect(await post(sender, url)).toMatchObject({ outcome: 'dns_failed', statusCode: null });
    expect(proxy.accepted()).toBe(0);
  },
);

// Asked for the name, the proxy resolved it once more, and rebinding led past the guard.
test('a name that changes its address after the check leads the proxy nowhere else', async () => {
  const { server, asked } = aProxy();
  await using proxy = await listen(server);
  await using receiver = await listen(createHttpServer((_req, res) => res.end()));
  let queryCount = 0;
  await using dns = await startDnsServer(() =>
    (queryCount += 1) <= 2 ? ['127.0.0.1'] : ['169.254.169.254'],
  );
  await using sender = aSender({
    egressProxyUrl: `http://127.0.0.1:${proxy.port}`,
    dnsServers: [dns.address],
  });
  const url = `http://rebinding.test:${receiver.port}/`;
  expect(await post(sender, url)).toMatchObject({ outcome: 'succeeded' });
  expect(asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${receiver.port}`]);
  expect(queryCount).toBe(2); // A and AAAA, once
});

test('the next address is asked for when the proxy does not reach the first, or says nothing', async () => {
  await using receiver = await listen(createHttpServer((_req, res) => res.end()));
  const asked: (string | undefined)[] = [];
  const server = createHttpServer();
  server.on('connect', (req, socket) => {
    asked.push(req.url);
    if (req.url?.startsWith('127.0.0.3')) return; // says nothing
    if (req.url?.startsWith('127.0.0.2')) return void socket.end('HTTP/1.1 502 No\r\n\r\n');
    const upstream = connect(receiver.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
  });
  await using proxy = await listen(server);
  await using dns = await startDnsServer(() => ['127.0.0.3', '127.0.0.2', '127.0.0.1']);
  await using sender = aSender({
    egressProxyUrl: `http://127.0.0.1:${proxy.port}`,
    dnsServers: [dns.address],
  });
  expect(await post(sender, 'http://many.test/')).toMatchObject({ outcome: 'succeeded' });
  expect(asked).toEqual(['127.0.0.3:80', '127.0.0.2:80', '127.0.0.1:80']);
});

test('speaks TLS to an https proxy, and TLS to the receiver inside that', async () => {
  const certificate = { cert: pem('valid.crt'), key: pem('valid.key') };
  const { server, asked } = aProxy({ server: createHttpsServer(certificate) });
  await using proxy = await listen(server);
  await using receiver = await listen(createHttpsServer(certificate, (_req, res) => res.end()));
  const egressProxyUrl = `https://127.0.0.1:${proxy.port}`;
  await using sender = aSender({ egressProxyUrl, trustedCa: [pem('ca.crt')] });
  const url = `https://127.0.0.1:${receiver.port}/`;
  expect(await post(sender, url)).toMatchObject({ outcome: 'succeeded', statusCode: 200 });
  expect(asked).toEqual([{ authority: `127.0.0.1:${receiver.port}`, authorization: undefined }]);

  await using distrusting = aSender({ egressProxyUrl });
  expect(await post(distrusting, url)).toMatchObject({ outcome: 'connection_failed' });
});

test('the guard still refuses literals, localhost and names that resolve to private addresses here', async () => {
  const { server } = aProxy();
  await using proxy = await listen(server);
  await using dns = await startDnsServer(() => ['10.0.0.1']);
  await using sender = aSender({
    allowCidrs: [],
    egressProxyUrl: `http://127.0.0.1:${proxy.port}`,
    dnsServers: [dns.address],
  });
  const hosts = ['127.1', '[::1]', '169.254.169.254', 'localhost', 'internal.test'];
  const results = await Promise.all(hosts.map((host) => post(sender, `http://${host}/`)));
  expect(results.map((result) => result.outcome)).toEqual(hosts.map(() => 'blocked_address'));
  expect(proxy.accepted()).toBe(0);
});

test.each([403, 407, 502])('a proxy that answers %i is a failed connection', async (status) => {
  const { server } = aProxy({ status });
  await using proxy = await listen(server);
  await using sender = aSender({ egressProxyUrl: `http://127.0.0.1:${proxy.port}` });
  expect(await post(sender, 'http://127.0.0.1:9/')).toMatchObject({
    outcome: 'connection_failed',
    statusCode: null,
  });
  await expect.poll(proxy.open).toBe(0);
});

test('a proxy that accepts and never answers ends with the time to connect', async () => {
  const server = createHttpServer();
  server.on('connect', () => {});
  await using proxy = await listen(server);
  await using sender = aSender({ egressProxyUrl: `http://127.0.0.1:${proxy.port}`, connectTimeoutMs: 300 });
  expect(await post(sender, 'http://127.0.0.1:9/')).toMatchObject({ outcome: 'timeout' });
});

test('the proxy variables of the environment are not read', async () => {
  const { server } = aProxy();
  await using proxy = await listen(server);
  await using receiver = await listen(createHttpServer((_req, res) => res.end()));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  await using sender = aSender();
  expect(await post(sender, `http://127.0.0.1:${receiver.port}/`)).toMatchObject({ outcome: 'succeeded' });
  expect(proxy.accepted()).toBe(0);
});

test.each(['proxy.internal:3128', 'socks5://proxy.internal', ''])(
  'refuses "%s" as a proxy at the start',
  (egressProxyUrl) => {
    expect(() => aSender({ egressProxyUrl })).toThrow(/egressProxyUrl is not an http or https URL/);
  },
);
