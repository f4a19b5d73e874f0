import { expect, test } from 'vitest';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aPlatformCaller, intake } from '../../test/ground/stages.ts';
import { QUANTILE_ERROR } from '../facts/histogram.ts';
import { keepX12Exchanges, readX12Exchanges, measureResponseTimes, nextX12ControlNumbers } from '../index.ts';
import type { PlainX12Exchange } from './x12-exchange.ts';

const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store);

async function nextControlNumber(): Promise<number> {
  const [number = 0] = await nextX12ControlNumbers(store, 1);
  return number;
}

async function anExchange(facts: Partial<PlainX12Exchange> = {}): Promise<PlainX12Exchange> {
  const { request_id: requestId } = await intake(store, caller);
  return {
    requestId,
    accountId: caller.accountId,
    payerId: 'plan-1',
    controlNumber: await nextControlNumber(),
    startedAt: new Date('2026-11-21T09:30:00Z'),
    durationMs: 812,
    statusCode: 200,
    errorReason: null,
    payerCodes: [],
    inquiry: 'ISA*NM1*IL*1*ROE*JANE~',
    answer: Buffer.from('ISA*NM1*IL*1*ROE*JANE*é~', 'latin1'),
    ...facts,
  };
}

// Without it two inquiries could share a number, and a payer would take the second for the first.
test('no two inquiries have the same control number', async () => {
  const numbers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => nextX12ControlNumbers(index % 2 ? store : rival, 5)),
  );
  expect(new Set(numbers.flat()).size).toBe(100);
  await sql(`select setval('x12_control_number', 999999998)`);
  expect(await nextX12ControlNumbers(store, 2)).toEqual([999_999_999, 1]);
});

// Without it nobody could prove later what a payer was asked and answered.
test('what was asked and answered is kept as it was, byte for byte', async () => {
  const exchange = await anExchange({ errorReason: 'member_not_found', payerCodes: ['AAA 75'] });
  const dental = { asked: 3, answered: 2, refused: 1, together: 4, leftOut: 0 };
  const other = await anExchange({ inquiryNumber: 2, codes: { dental } });
  await keepX12Exchanges(store, [exchange, other]);
  await keepX12Exchanges(rival, [{ ...exchange, durationMs: 1 }]);
  expect(await readX12Exchanges(store, exchange.requestId)).toEqual([exchange]);
  expect(await readX12Exchanges(store, other.requestId)).toEqual([other]);
});

// Without it a copy of the database would reveal patients.
test('neither text is readable at rest', async () => {
  const exchange = await anExchange();
  await keepX12Exchanges(store, [exchange]);
  const [row] = await sql('select x12_exchange::text as text from x12_exchange where request_id = $1', [
    exchange.requestId,
  ]);
  const text = String(row?.['text']);
  const bytes = [...text.matchAll(/\\\\x([\da-f]+)/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
  expect(bytes).toHaveLength(2);
  for (const shown of [text, ...bytes]) expect(shown).not.toMatch(/ROE|JANE|NM1/);
});

// Without it nobody would see that a payer answers too slowly for the CORE rule.
test('response times are reported by payer, what was never answered among them', async () => {
  const at = (startedAt: string, durationMs: number, facts: Partial<PlainX12Exchange> = {}) =>
    anExchange({ payerId: 'slow', startedAt: new Date(startedAt), durationMs, ...facts });
  const exchanges = [
    await at('2026-10-01T00:00:00Z', 1_000),
    await at('2026-10-15T00:00:00Z', 20_000),
    await at('2026-10-15T00:00:00Z', 20_001),
    await at('2026-10-31T23:59:59Z', 300, { statusCode: 503, answer: Buffer.from('') }),
    await at('2026-10-31T23:59:59Z', 20_000, { statusCode: null, answer: null }),
    await at('2026-09-30T23:59:59Z', 1),
    await at('2026-11-01T00:00:00Z', 1),
    await at('2026-10-10T00:00:00Z', 5, { payerId: 'away', statusCode: null, answer: null }),
  ];
  await keepX12Exchanges(store, exchanges);
  const october = {
    caller: aPlatformCaller(),
    from: new Date('2026-10-01T00:00:00Z'),
    until: new Date('2026-11-01T00:00:00Z'),
  };
  const times = await measureResponseTimes(store, october);
  expect(times).toEqual([
    {
      payer_id: 'away',
      inquiry_count: 1,
      within_20_seconds_share: 0,
      p50_ms: null,
      p90_ms: null,
      slowest_ms: null,
    },
    {
      payer_id: 'slow',
      inquiry_count: 5,
      within_20_seconds_share: 0.4,
      p50_ms: expect.any(Number),
      p90_ms: 20_001,
      slowest_ms: 20_001,
    },
  ]);
  expect(Math.abs((times[1]?.p50_ms ?? 0) / 20_000 - 1)).toBeLessThan(QUANTILE_ERROR);
});
