import type { Batch } from '@insurance-verification/schema';
import { insertRequests, readX12Exchanges } from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { LEAN_INQUIRY } from '../../src/config/payer-inquiry.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { aRequestFor } from '../verification/a-connection.ts';
import { aChannel } from '../verification/an-api-channel.ts';

// Breaks if the gender of a batch's row is lost, or is stored where a copy of the database shows it.
test('a row of a batch may give a gender; another value rejects the row', async () => {
  const service = await aService();
  const row = (reference: string, gender?: string) => JSON.stringify({ ...aRequest(), reference, gender });
  const { json } = await service.ask('POST', '/batches', {
    body: [row('with', 'M'), row('without'), row('wrong', 'X')].join('\n'),
    headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'genders' },
  });
  const { batch_id: batchId, counters } = json as Batch;
  expect(counters).toMatchObject({ received: 3, rejected: 1 });
  const stored = await rows<{ gender: Buffer | null }>(
    service.databaseUrl,
    `select gender from request
     join batch_row on batch_row.request_id = request.id where batch_row.batch_id = $1 order by batch_row.row`,
    [batchId],
  );
  expect(stored.map(({ gender }) => (gender?.length ?? 0) > 20)).toEqual([true, false]);
  const { status, text } = await service.ask('GET', `/batches/${batchId}/errors`);
  expect([status, text]).toEqual([200, expect.stringContaining('Value should be F, M or U')]);
});

// Without it a payer that asks for a gender rejects every patient of ours; without the setting one that does not gets it.
test.each([
  [true, /DMG\*D8\*19840517\*F~/, 'Active'],
  [false, /DMG\*D8\*19840517~/, undefined],
])('the gender is in DMG03 where the payer asks for it: %s', async (hasGender, expected, status) => {
  const { store, caller, result, wake, logLines } = await aChannel({
    connection: { inquiry: { ...LEAN_INQUIRY, hasGender } },
  });
  const input = { ...aRequestFor('SIM-NEEDS-GENDER'), cpt_code_coverage: null };
  const [inserted] = await insertRequests(store, [
    { caller, payerId: 'plan-1', input, idempotencyKey: null, gender: 'F' },
  ]);
  const id = inserted?.kind === 'created' ? (inserted.request.request_id ?? '') : '';
  wake();
  const exchange = await until('the payer is asked', async () => (await readX12Exchanges(store, id))[0]);
  expect(exchange.inquiry).toMatch(expected);
  const found = await until('it has ended', async () => {
    const one = await result(id);
    return typeof one === 'string' ? null : one;
  });
  expect(found.insurance_data[0]?.plan_info.eligibility_status).toBe(status);
  if (status === undefined) expect(found.request.error_reason).toBe('gender_invalid');
  expect(logLines.join('')).not.toMatch(/"F"|gender":/);
});
