import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '@insurance-verification/testing/free-port';
import { until } from '@insurance-verification/testing/until';
import type { FaultRow } from '../fault-row.ts';
import { aFinishedRequest, deliveryOf } from '../ground/a-finished-request.ts';
import { startReceiver } from '../ground/start-receiver.ts';
import { startService } from '../ground/start-service.ts';

const certificates = fileURLToPath(new URL('../../../../packages/webhook/test/tls/', import.meta.url));
const pem = (name: string) => readFileSync(`${certificates}${name}.pem`, 'utf8');
const tlsOf = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.crt`) });

/** A receiver with a bad certificate gets no data; once it is valid, the next attempt sends the same message. */
export const badCertificates: FaultRow = {
  number: 12,
  fault: 'TLS certificate expired, for another host, self-signed',
  rounds: 10,
  run: async (ground) => {
    const { tally } = ground;
    const { url } = await startService(ground, {
      databaseUrl: await ground.aDatabase(),
      env: {
        NODE_EXTRA_CA_CERTS: `${certificates}ca.crt.pem`,
        WEBHOOK_RETRY_SCHEDULE: ['0s', ...Array.from({ length: 30 }, () => '1s')].join(','),
      },
    });
    const present = async (name: string) => {
      const port = await freePort();
      const bad = await startReceiver(ground, { port, tls: tlsOf(name) });
      const { request_id } = await aFinishedRequest(url, bad.urls[0] ?? '');
      const failed = await until('two attempts have failed', async () => {
        const { attempts } = await deliveryOf(url, request_id);
        return attempts.length > 1 && attempts;
      });
      tally.holds(
        failed.every(({ outcome }) => outcome === 'tls_failed'),
        `${name}: ended as ${failed.map(({ outcome }) => outcome).join(', ')}`,
      );
      tally.holds(bad.arrivals.size === 0, `${name}: the message was sent`);
      await bad.close();
      const mendedAt = performance.now();
      const mended = await startReceiver(ground, { port, tls: tlsOf('valid') });
      const delivery = await until(`${name}: delivered once the certificate is right`, async () => {
        const found = await deliveryOf(url, request_id);
        return found.status === 'delivered' && found;
      });
      tally.recovered(performance.now() - mendedAt);
      tally.acknowledgedCount += 1;
      tally.duplicateCount += mended.arrivalsOf(request_id).length - 1;
      tally.holds(mended.arrivals.has(delivery.delivery_id), `${name}: delivered, and never came`);
      await mended.close();
    };
    for (let round = 0; round < ground.rounds; round += 1)
      await Promise.all(['expired', 'wrong-host', 'self-signed'].map(present));
  },
};
