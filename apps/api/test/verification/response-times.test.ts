import type { ResponseTimesReport } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

// Operators use it to show whether the payers meet the CORE rule.
test('a month of inquiries is reported by payer, the current month when none is named', async () => {
  const service = await aService();
  const { json } = await service.ask('POST', '/requests/', { body: aRequest() });
  const { request_id: requestId } = json as { request_id: string };
  await rows(
    service.databaseUrl,
    `insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code,
       payer_codes, inquiry, answer)
     select id, number, account_id, 'plan-1', started_at::timestamptz, duration_ms, 200, '{}', '', ''
     from request, (values (1, '2026-02-28T23:59:59Z', 900), (2, '2026-02-01T00:00:00Z', 20001), (3, '2026-03-01T00:00:00Z', 5))
       as x (number, started_at, duration_ms) where id = $1`,
    [requestId],
  );
  const february = await service.answer<ResponseTimesReport>('GET', '/reports/response-times?month=2026-02');
  expect(february).toEqual({
    month: '2026-02',
    items: [
      {
        payer_id: 'plan-1',
        inquiry_count: 2,
        within_20_seconds_share: 0.5,
        p50_ms: expect.any(Number),
        p90_ms: 20_001,
        slowest_ms: 20_001,
      },
    ],
  });
  expect(Math.abs((february.items[0]?.p50_ms ?? 0) / 900 - 1)).toBeLessThan(0.045);
  const current = await service.answer<ResponseTimesReport>('GET', '/reports/response-times');
  expect(current).toEqual({ month: new Date().toISOString().slice(0, 7), items: [] });
});

test('what is no month is reported', async () => {
  const service = await aService();
  const { status, json } = await service.ask('GET', '/reports/response-times?month=2026-13');
  expect(status).toBe(422);
  expect(json).toMatchObject({ detail: [{ loc: ['query', 'month'] }] });
});
