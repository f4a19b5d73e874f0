import type { AskedCodesReport, CodeFigures } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { LEAN_INQUIRY } from '../../src/config/payer-inquiry.ts';
import { adviseInquiry } from '../../src/reports/advise-inquiry.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

const figures = (asked: number, answered: number, refused: number): CodeFigures => ({
  asked_count: asked,
  answered_count: answered,
  refused_count: refused,
});

// Breaks if an operator cannot see which payer is paid for inquiries that bring nothing, and what to set.
test('a month of codes is reported by payer, and for one account', async () => {
  const service = await aService();
  const { json } = await service.ask('POST', '/requests/', { body: aRequest() });
  const { request_id: requestId } = json as { request_id: string };
  const [{ account_id: accountId } = { account_id: '' }] = await rows<{ account_id: string }>(
    service.databaseUrl,
    `insert into x12_exchange (request_id, control_number, account_id, payer_id, started_at, duration_ms, status_code,
       payer_codes, inquiry, answer, inquiry_number, dental_codes, medical_codes)
     select id, number, account_id, 'plan-1', started_at::timestamptz, 10, 200, '{}', '', '', inquiry, dental, medical
     from request, (values
       (1, '2026-02-28T23:59:59Z', 1, null::smallint[], null::smallint[]),
       (2, '2026-02-28T23:59:59Z', 2, '{3,2,1,5,0}', '{2,0,2,5,0}'),
       (3, '2026-02-01T00:00:00Z', 2, null, '{30,0,30,30,0}'),
       (4, '2026-03-01T00:00:00Z', 2, '{1,1,0,1,0}', null)
     ) as x (number, started_at, inquiry, dental, medical) where id = $1 returning account_id`,
    [requestId],
  );
  const february = {
    month: '2026-02',
    items: [
      {
        payer_id: 'plan-1',
        inquiry_count: 3,
        further_inquiry_count: 2,
        dental: figures(3, 2, 1),
        medical: figures(32, 0, 32),
        setting: 'procedures',
        advice: 'It answered none of 32 CPT and HCPCS codes: set `procedures` to `cdt`.',
      },
    ],
  };
  const path = '/reports/asked-codes?month=2026-02';
  expect(await service.answer<AskedCodesReport>('GET', path)).toEqual(february);
  expect(await service.answer<AskedCodesReport>('GET', `${path}&account_id=${accountId}`)).toEqual(february);
  const current = await service.answer<AskedCodesReport>('GET', '/reports/asked-codes');
  expect(current).toEqual({ month: new Date().toISOString().slice(0, 7), items: [] });
  const unknown = await service.ask('GET', `${path}&account_id=acct_01k9z8t5e6f7g8h9j0k1m2n3p4`);
  expect(unknown.status).toBe(404);
  const wrong = await service.ask('GET', '/reports/asked-codes?month=2026-13');
  expect(wrong).toMatchObject({ status: 422, json: { detail: [{ loc: ['query', 'month'] }] } });
});

const NONE = figures(0, 0, 0);

// Breaks if the report names a setting that is right, or none where one costs an inquiry a request.
test.each([
  [{}, NONE, NONE, null],
  [{}, NONE, figures(20, 0, 0), null],
  [{}, NONE, figures(20, 0, 20), 'procedures'],
  [{}, figures(5, 5, 0), figures(20, 0, 20), 'procedures'],
  [{}, figures(500, 400, 100), figures(500, 400, 100), null],
  [{ procedures: 'all' }, NONE, figures(19, 0, 0), null],
  [{ procedures: 'all' }, NONE, figures(20, 0, 0), 'procedures'],
  [{ procedures: 'cdt' }, figures(20, 0, 0), NONE, 'procedures'],
  [{ procedures: 'cdt' }, figures(20, 3, 0), NONE, null],
  [{ procedures: 'none' }, NONE, NONE, null],
  [{ procedures: 'all', together: 'many' }, NONE, figures(100, 80, 20), 'together'],
  [{ procedures: 'all', together: 'many' }, NONE, figures(100, 100, 0), null],
] as const)('%j with %j and %j: %s', (settings, dental, medical, setting) => {
  expect(adviseInquiry({ dental, medical }, { ...LEAN_INQUIRY, ...settings }).setting).toBe(setting);
});
