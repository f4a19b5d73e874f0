import type { CreatedApiKey, Report, ReportRow } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { beforeAll, describe, expect, test } from 'vitest';
import { anAccount } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { aStoredRequest } from '../a-stored-request.ts';
import { transports } from '../transports.ts';

const service = useService({ env: { VERIFICATION_OUTPUT_TRUST: 'keyed' } });
let accountId: string;
let provider: string;
beforeAll(async () => {
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

const sumOf = (
  rows: readonly ReportRow[],
  name: 'received_count' | 'completed_count' | 'not_verified_count' | 'open_count' | 'held_count',
) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);

describe.each(transports)('over $name', (transport) => {
  const ask = (input: object, key?: string) =>
    transport.call(service, 'reports.get', { ...input }, key === undefined ? {} : { key });

  async function report(input: object, key?: string): Promise<Report> {
    const answer = await ask(input, key);
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
      const { items, counted_until: _, ...head } = await report({ of: 'requests', ...input }, key);
      expect(items).toHaveLength(24);
      expect(head).toEqual({
        of: 'requests',
        from: expect.any(String),
        until: expect.any(String),
        step: 'hour',
        zone: 'UTC',
      });
      // The hour may have ended between.
      expect([
        sumOf(items, 'received_count'),
        sumOf(items, 'completed_count'),
        sumOf(items, 'not_verified_count'),
      ]).toEqual(counts);
    }
    const queue = await report({ of: 'queue' }, provider);
    expect(queue.items).toEqual([
      {
        at: null,
        payer_id: expect.any(String),
        channel: null,
        waiting_count: 1,
        leased_count: 0,
        oldest_seconds: expect.any(Number),
      },
    ]);
  });

  test('times are reported over all and by step, and reasons with who must fix them', async () => {
    const { items } = await report({ of: 'result_times' }, provider);
    const [total, step] = items;
    expect(total).toMatchObject({
      at: null,
      count: 1,
      within_20_seconds_count: 1,
      p50_ms: expect.any(Number),
    });
    expect([items.length, step]).toEqual([2, { ...total, at: expect.any(String) }]);
    const reasons = await report({ of: 'failure_reasons' });
    expect(reasons.items).toEqual([
      { at: null, reason: 'member_not_found', fixed_by: 'patient_data', count: 1 },
    ]);
    expect((await report({ of: 'failure_reasons' }, provider)).items).toEqual([]);
  });

  test('an operator reads what was held, and what is open', async () => {
    const { items } = await report({ of: 'held' });
    expect([sumOf(items, 'open_count'), sumOf(items, 'held_count')]).toEqual([1, 1]);
  });

  // Without it a provider would read how many outputs of all accounts are held.
  test('a provider is refused the report of held outputs, of its own account too, and learns the scope', async () => {
    for (const input of [{}, { account_id: accountId }]) {
      const answer = await ask({ of: 'held', ...input }, provider);
      expect(answer.status).toBe(403);
      expect(answer.json).toEqual(transport.problem('forbidden', { required_scopes: ['operate'] }));
    }
  });

  test('another account is as unknown as one that does not exist', async () => {
    const { account_id: other } = await anAccount(service);
    for (const id of [other, 'acct_01jdabcdefghjkmnpqrstvwxyz', 'x']) {
      const answer = await ask({ of: 'requests', account_id: id }, provider);
      expect([answer.status, answer.json]).toEqual([404, transport.problem('not_found')]);
    }
  });

  test('a report of nothing known, a time that ends before it begins or has too many steps, and an unknown zone are refused', async () => {
    for (const [field, input] of [
      ['of', {}],
      ['of', { of: 'times' }],
      ['from', { from: '2026-11-02T00:00:00Z', until: '2026-11-01T00:00:00Z' }],
      ['from', { from: '2026-09-01T00:00:00Z', until: '2026-11-01T00:00:00Z' }],
      ['from', { from: '2025-01-01T00:00:00Z', until: '2026-11-01T00:00:00Z', step: 'day' }],
      ['zone', { zone: 'Nowhere/Town' }],
      ['zone', { zone: '+05:30' }],
    ] as const) {
      const answer = await ask(field === 'of' ? input : { of: 'requests', ...input });
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.json)).toContain(field);
    }
  });
});
