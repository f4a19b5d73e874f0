import type {
  CreatedEndpoint,
  DeliverySummaryList,
  Endpoint,
  RecoveredEndpoint,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';
import { aFinishedRequest } from './deliveries.ts';

// What an endpoint did not take since a time is counted, and then posted again.

const service = useService({ env: { WEBHOOK_RETRY_SCHEDULE: '0s' } });

describe.each(transports)('over $name', (transport) => {
  test('what was given up since a time is counted, posted again with its id, and never twice', async () => {
    const key = await aKey(service);
    const receiver = await aReceiver({ status: 500 });
    const types = ['request.answered'];
    const { endpoint_id } = await service.answer<CreatedEndpoint>(
      'POST',
      '/endpoints',
      { url: receiver.url, types },
      key,
    );
    const listed = async (status?: string) => {
      const input = { endpoint_id, ...(status && { status }) };
      return transport.output<DeliverySummaryList>(
        await transport.call(service, 'deliveries.list', input, { key }),
      ).items;
    };
    const recover = async (input: object) =>
      transport.output<RecoveredEndpoint>(
        await transport.call(service, 'endpoints.recover', { endpoint_id, ...input }, { key }),
      );
    await aFinishedRequest(service, 'http://127.0.0.1:9/', key);
    const [lost = expect.fail()] = await receiver.first();
    await until('it is given up', async () => (await listed('exhausted')).length === 1);
    const since = new Date(Date.now() - 60_000).toISOString();

    expect(await recover({ since, dry_run: true })).toEqual({ recovered_count: 0, missed_count: 1 });
    expect(await recover({ dry_run: true })).toEqual({ recovered_count: 0, missed_count: 0 });
    expect(await recover({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual({
      recovered_count: 0,
      missed_count: 0,
    });
    receiver.behave({ status: 204 });
    expect(await recover({ since })).toEqual({ recovered_count: 1, missed_count: 0 });
    const [, again] = await receiver.first(2);
    expect([again?.headers['webhook-id'], again?.body]).toEqual([lost.headers['webhook-id'], lost.body]);
    await until('it is delivered', async () => (await listed('delivered')).length === 1);
    expect(await recover({ since })).toEqual({ recovered_count: 0, missed_count: 0 });
    expect(await listed()).toMatchObject([{ endpoint_id, event_type: 'request.answered', attempt_count: 2 }]);
    const { failing_since } = await service.answer<Endpoint>(
      'GET',
      `/endpoints/${endpoint_id}`,
      undefined,
      key,
    );
    expect(failing_since).toBe(null);
  });

  test('a text that is no time is refused, and another account’s endpoint is not found', async () => {
    const key = await aKey(service);
    const { endpoint_id } = await service.answer<CreatedEndpoint>(
      'POST',
      '/endpoints',
      { url: 'http://127.0.0.1:9/', types: ['request.answered'] },
      key,
    );
    const faulty = { endpoint_id, since: 'yesterday' };
    const refused = await transport.call(service, 'endpoints.recover', faulty, { key });
    expect(refused.status).toBe(422);
    const other = { endpoint_id, since: '2026-11-20T00:00:00Z', dry_run: true };
    const stranger = await transport.call(service, 'endpoints.recover', other, { key: await aKey(service) });
    expect([stranger.status, stranger.json]).toEqual([404, transport.problem('not_found')]);
    const unknown = await transport.call(service, 'deliveries.list', { endpoint_id: 'ep_x' }, { key });
    expect(transport.output<DeliverySummaryList>(unknown).items).toEqual([]);
  });
});
