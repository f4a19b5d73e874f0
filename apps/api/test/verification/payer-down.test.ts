import { type AddressInfo, createServer } from 'node:net';
import { startSimulator } from '@insurance-verification/payer-simulator';
import type { Batch, RequestSummaryList, RequestView, WorkStats } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, onTestFinished, test } from 'vitest';
import { aPayersFile } from '../a-payers-file.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const HOUR = 3_600_000;

// Breaks if an outage of minutes ends a night's requests, becomes people's calls, or no page says what is waited for.
test.each([
  ['that is the only channel', ['api']],
  ['before people', ['api', 'manual_phone_call']],
])(
  'a payer’s API %s: a batch waits for it, everybody sees so, and it is answered when the payer is back',
  async (_, channels) => {
    const port = await freePort();
    const payers = [1, 2, 3, 4].map((number) => ({
      id: `plan-${number}`,
      name: `Payer Plan ${number}`,
      channels,
      x12: {
        url: `http://127.0.0.1:${port}/`,
        sender_id: 'IVSERVICE',
        receiver_id: 'SIMULATOR',
        in_flight_max: 5,
        test: true,
      },
    }));
    const service = await aService({ env: { PAYERS_FILE: aPayersFile(payers) } });
    const row = (id: string) =>
      JSON.stringify(
        aRequest({
          patient_info: { subscriber_id: id, name: 'Jane Doe' },
          payer_info: { name: 'Payer Plan 1' },
          callback_url: 'http://127.0.0.1:9/hook',
        }),
      );
    const needed = new Date(Date.now() + 10 * HOUR).toISOString();
    const sent = await service.ask('POST', '/batches', {
      body: Array.from({ length: 30 }, (_row, index) => row(`W${index}`)).join('\n'),
      headers: {
        'content-type': 'application/x-ndjson',
        'idempotency-key': 'tonight',
        'needed-by': needed,
      },
    });
    expect(sent.status, sent.text).toBe(202);
    const { batch_id: batchId } = sent.json as Batch;
    const batch = () => service.answer<Batch>('GET', `/batches/${batchId}`);
    const waiting = await until('the batch waits', async () => (await batch()).waiting_for_payer?.[0]);
    expect(waiting).toEqual({ payer: 'Payer Plan 1', since: expect.any(String), waiting: 30 });
    const status = await until('the status says so', async () => {
      const page = await service.answer<{ payers: { channels: Record<string, unknown>[] }[] }>(
        'GET',
        '/status',
      );
      return page.payers[0]?.channels[0]?.['state'] === 'down' && page;
    });
    expect(status.payers[0]?.channels[0]).toMatchObject({ channel: 'api', down_since: waiting.since });
    const { items: listed } = await service.answer<RequestSummaryList>('POST', '/requests/search', {});
    const [first] = listed;
    expect(first?.waiting_for_payer).toEqual({ since: waiting.since, until: expect.any(String) });
    const keptUntil = Date.parse(first?.waiting_for_payer?.until ?? '');
    const expected = Date.parse(needed) - (channels.length > 1 ? 2 * HOUR : 0);
    expect(Math.abs(keptUntil - expected)).toBeLessThan(60_000);
    const view = await service.answer<RequestView>('GET', `/requests/${first?.request_id}/view`);
    expect(view).toMatchObject({ waiting_for_payer: { since: waiting.since }, channel: 'api' });
    const { items: stats } = await service.answer<WorkStats>('GET', '/work/stats');
    const ofApi = stats.find(({ payer, channel }) => payer === 'Payer Plan 1' && channel === 'api');
    expect(ofApi).toMatchObject({ within_20_seconds_share: null });
    expect((await batch()).counters).toMatchObject({ answered: 0, failed: 0 });

    await rows(service.databaseUrl, `update payer_outage set since = since - interval '3 minutes'`);
    const events = async (type: string) => {
      const page = await service.answer<{ items: { type: string; data: object }[] }>(
        'GET',
        '/events?limit=100',
      );
      return page.items.filter((event) => event.type === type);
    };
    await until('its outage is reported', async () => (await events('payer.unavailable')).length === 1);
    const simulator = await startSimulator({ port });
    onTestFinished(() => simulator.stop());
    await rows(service.databaseUrl, `update payer_outage set next_probe_at = now()`);
    const ended = await until('all are answered', async () => {
      const found = await batch();
      return found.state === 'ended' && found;
    });
    expect(ended).toMatchObject({ outcome: 'all', counters: { answered: 30, failed: 0 } });
    expect(ended).not.toHaveProperty('waiting_for_payer');
    await until('its recovery is reported', async () => (await events('payer.recovered')).length === 1);
    expect((await events('payer.recovered'))[0]?.data).toEqual({
      payer: 'Payer Plan 1',
      since: expect.any(String),
    });
  },
);
