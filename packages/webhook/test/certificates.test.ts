import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDnsServer } from '../src/testing/start-dns-server.ts';
import { listen } from './listen.ts';
import { aSender, post } from './senders.ts';

const pem = (name: string) => readFileSync(new URL(`./tls/${name}.pem`, import.meta.url), 'utf8');

/** A receiver with one of the certificates of test/tls that counts the requests it got to see. */
function presenting(certificate: string) {
  let requests = 0;
  const server = createServer(
    { cert: pem(`${certificate}.crt`), key: pem(`${certificate}.key`) },
    (_req, res) => {
      requests += 1;
      res.end();
    },
  );
  return { server, requests: () => requests };
}

async function sendTo(certificate: string, host = 'receiver.test') {
  const { server, requests } = presenting(certificate);
  await using receiver = await listen(server);
  await using dns = await startDnsServer(() => ['127.0.0.1']);
  await using sender = aSender({ httpsOnly: true, trustedCa: [pem('ca.crt')], dnsServers: [dns.address] });
  const { outcome } = await post(sender, `https://${host}:${receiver.port}/`);
  return { outcome, requests: requests() };
}

test.each(['receiver.test', 'receiver.test.', '127.0.0.1'])(
  'a certificate of a trusted authority for the host delivers: %s',
  async (host) => {
    expect(await sendTo('valid', host)).toEqual({ outcome: 'succeeded', requests: 1 });
  },
);

test.each(['expired', 'wrong-host', 'self-signed'])(
  'a certificate that is %s: nothing is sent',
  async (certificate) => {
    expect(await sendTo(certificate)).toEqual({ outcome: 'tls_failed', requests: 0 });
  },
);

test.each(['renamed.test', '[::ffff:127.0.0.1]'])(
  'a host the certificate does not name, %s: nothing is sent',
  async (host) => {
    expect(await sendTo('valid', host)).toEqual({ outcome: 'tls_failed', requests: 0 });
  },
);

test('an authority that is not trusted: nothing is sent, even with verification turned off in the environment', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const { server, requests } = presenting('valid');
  await using receiver = await listen(server);
  await using sender = aSender();
  expect(await post(sender, `https://127.0.0.1:${receiver.port}/`)).toMatchObject({ outcome: 'tls_failed' });
  expect(requests()).toBe(0);
});
