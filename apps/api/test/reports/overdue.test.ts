import type { Report, RequestModel, RequestView } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { transports } from '../transports.ts';

const service = useService();

const hour = (offset: number) =>
  new Date((Math.floor(Date.now() / 3_600_000) + offset) * 3_600_000).toISOString();

describe.each(transports)('over $name', (transport) => {
  // Without it nobody learns which share of what desks waited for came in time.
  test('of three requests that are needed soon one is met and two are overdue, whenever their results come', async () => {
    const key = await aKey(service);
    const headers = { 'needed-by': new Date(Date.now() + 1_500).toISOString() };
    const create = async () =>
      transport.output<RequestModel>(
        await transport.call(service, 'requests.create', { ...aRequest() }, { key, headers }),
      );
    const [met, late, never] = [await create(), await create(), await create()];
    await service.answer('POST', '/verification-output', anOutput(met));
    const view = async ({ request_id }: RequestModel) =>
      transport.output<RequestView>(await transport.call(service, 'requests.view', { request_id }, { key }));
    await until('they are overdue', async () => (await view(never)).overdue);
    await service.answer('POST', '/verification-output', anOutput(late));
    const standings = await Promise.all([met, late, never].map(view));
    expect(standings.map(({ overdue, state }) => [overdue, state === 'pending'])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    const input = { of: 'requests', from: hour(-1), until: hour(2) };
    const { items } = transport.output<Report>(await transport.call(service, 'reports.get', input, { key }));
    const sum = (name: 'met_count' | 'overdue_count') =>
      items.reduce((total, item) => total + (item[name] ?? 0), 0);
    expect([sum('met_count'), sum('overdue_count')]).toEqual([1, 2]);
  });
});
