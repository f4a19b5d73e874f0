import type {
  CreatedApiKey,
  HeldReport,
  QueueReport,
  ReasonsReport,
  RequestsReport,
  TimesReport,
} from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';
import { anOutput } from '@insurance-verification/testing/an-output';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { startTestService, type TestService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

let service: TestService;
let accountId: string;
let provider: string;
beforeAll(async () => {
  service = await startTestService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed' } });
  ({ account_id: accountId } = await anAccount(service));
  ({ key: provider } = await service.answer<CreatedApiKey>('POST', '/keys', {
    account_id: accountId,
    scopes: ['requests'],
  }));
  await aStoredRequest(service, {}, provider);
  await service.answer('POST', '/verification-output', anOutput(await aStoredRequest(service, {}, provider)));
  const request = await aStoredRequest(service);
  const ended = { ...anOutput(request).request, state: 'error_verifying', error_reason: 'member_not_found' };
  await service.answer('POST', '/verification-output', { request: ended, insurance_data: [] });
  await service.ask('POST', '/verification-output', { body: anOutput(request), key: null });
});
afterAll(() => service.stop());

describe.each(transports)('over $name', (transport) => {
  async function report<Report>(operation: OperationName, input: object = {}, key?: string): Promise<Report> {
    const answer = await transport.call(service, operation, { ...input }, key === undefined ? {} : { key });
    expect(answer.status).toBe(200);
    return transport.output<Report>(answer);
  }

  // Without it a provider would see others' numbers, or a figure would come an hour late.
  test('a provider reads its own account, an operator all or one, what was done a moment ago included', async () => {
    for (const [input, key, counts] of [
      [{}, provider, [2, 1, 0]],
      [{ account_id: accountId }, undefined, [2, 1, 0]],
      [{}, undefined, [3, 1, 1]],
    ] as const) {
      const { items, step, zone } = await report<RequestsReport>('reports.requests', input, key);
      expect([items.length, step, zone]).toEqual([24, 'hour', 'UTC']);
      // The hour may have ended between.
      const sum = (field: 'received_count' | 'completed_count' | 'not_verified_count') =>
        items.reduce((total, item) => total + item[field], 0);
      expect([sum('received_count'), sum('completed_count'), sum('not_verified_count')]).toEqual(counts);
    }
    const queue = await report<QueueReport>('reports.queue', {}, provider);
    expect(queue.items).toEqual([
      expect.objectContaining({ channel: null, waiting_count: 1, leased_count: 0 }),
    ]);
  });

  test('times are reported by what is timed, and reasons by what they are of', async () => {
    const times = await report<TimesReport>('reports.times', { of: 'result' }, provider);
    expect(times.totals).toEqual([
      expect.objectContaining({ count: 1, within_20_seconds_count: 1, p50_ms: expect.any(Number) }),
    ]);
    expect(times.items.map(({ group }) => group)).toEqual(times.totals.map(({ group }) => group));
    const reasons = await report<ReasonsReport>('reports.reasons', { of: 'verification' });
    expect(reasons.items).toEqual([{ reason: 'member_not_found', fixed_by: 'patient_data', count: 1 }]);
    const none = await report<ReasonsReport>('reports.reasons', { of: 'verification' }, provider);
    expect(none.items).toEqual([]);
  });

  test('an operator reads what was held, and what is open', async () => {
    const held = await report<HeldReport>('reports.held');
    expect(held.open.reduce((sum, one) => sum + one.open_count, 0)).toBe(1);
    expect(held.items.reduce((sum, item) => sum + item.held_count, 0)).toBe(1);
  });

  test('another account is as unknown as one that does not exist', async () => {
    const { account_id: other } = await anAccount(service);
    for (const id of [other, 'acct_01jdabcdefghjkmnpqrstvwxyz', 'x']) {
      const answer = await transport.call(service, 'reports.requests', { account_id: id }, { key: provider });
      expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
    }
  });

  test('a time that ends before it begins, has too many steps, or a zone that nobody knows is reported', async () => {
    for (const [field, input] of [
      ['from', { from: '2026-11-02T00:00:00Z', until: '2026-11-01T00:00:00Z' }],
      ['from', { from: '2026-09-01T00:00:00Z', until: '2026-11-01T00:00:00Z' }],
      ['from', { from: '2025-01-01T00:00:00Z', until: '2026-11-01T00:00:00Z', step: 'day' }],
      ['zone', { zone: 'Nowhere/Town' }],
      ['zone', { zone: '+05:30' }],
    ] as const) {
      const answer = await transport.call(service, 'reports.requests', { ...input });
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.json)).toContain(field);
    }
  });
});
