import { insertRequests } from '@insurance-verification/store';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { rows } from '../rows.ts';
import { aRequestFor } from './a-connection.ts';
import { aChannel, aRoute } from './an-api-channel.ts';

/** The codes of the requests, in turn: dental, medical, both, one and several. */
const CODES = [['D0120'], ['99213', '99214'], ['D0120', 'D1110', 'D2740'], ['D0120', '99213'], ['99213-25']];

const REQUEST_COUNT = 50;

interface Figures {
  readonly completed: number;
  readonly passed_on: number;
  readonly inquiries: number;
}

/** The simulated payers, each with the codes that it answers for; 500 requests each are row 32 of `test:faults`. */
const PAYERS: Readonly<Record<string, (code: string) => boolean>> = {
  'SIM-NO-CODES': () => false,
  'SIM-ONE-EQ': () => true,
  'SIM-NO-CPT': (code) => code.startsWith('D'),
  'SIM-CDT-ONLY': (code) => code.startsWith('D'),
  'SIM-NO-ADDRESS': () => true,
};

// Breaks if a payer's refusal of a code, of two questions or of an address becomes a phone call of half an hour, if a payer is
// asked over and over for what it does not answer, or if a code that it did not answer for is reported as answered.
test('payers that take some inquiries only answer all requests, at 2.2 inquiries a request at most', async () => {
  const ids = Object.keys(PAYERS);
  const { caller, connectionString, result, store, wake } = await aChannel({
    payerIds: ids,
    route: aRoute('api', 'manual_phone_call'),
    connection: { inFlightCountMax: 5 },
  });
  const address = '12 Elm St, Springfield, IL 62701';
  const wanted = ids.flatMap((payerId) =>
    Array.from({ length: REQUEST_COUNT }, (_, index) => {
      const patient = { subscriber_id: `${payerId}.${index}`, dob: '1984-05-17', name: 'Jane Doe', address };
      const codes = CODES[index % CODES.length] ?? [];
      const input = { ...aRequestFor('W1'), patient_info: patient, cpt_code_coverage: codes };
      return { caller, payerId, input, idempotencyKey: null, codes };
    }),
  );
  const inserted = await insertRequests(store, wanted);
  wake();
  await until(
    'all have left the channel',
    async () => {
      const [left] = await rows<{ count: number }>(
        connectionString,
        "select count(*)::int as count from work_queue where channel <> 'manual_phone_call'",
      );
      return left?.count === 0;
    },
    60_000,
  );
  for (const payerId of ids) {
    const [figures] = await rows<Figures>(
      connectionString,
      `select count(*) filter (where outcome = 'complete')::int as completed,
         count(*) filter (where outcome = 'none')::int as passed_on,
         (select count(*)::int from x12_exchange where payer_id = request.payer_id) as inquiries
       from request where payer_id = $1 group by payer_id`,
      [payerId],
    );
    expect(figures, payerId).toMatchObject({ completed: REQUEST_COUNT, passed_on: 0 });
    expect((figures?.inquiries ?? 0) / REQUEST_COUNT, payerId).toBeLessThanOrEqual(2.2);
  }
  for (const [index, { payerId, codes }] of wanted.entries()) {
    const one = inserted[index];
    const id = one?.kind === 'created' ? (one.request.request_id ?? '') : '';
    const found = await result(id);
    if (typeof found === 'string') throw new Error(found);
    const [entry] = found.insurance_data;
    const covered = entry?.plan_info.cpt_code_coverage ?? [];
    const notes = entry?.notes ?? '';
    expect(entry?.plan_info.eligibility_status, id).toBe('Active');
    // Nothing that the payer did not say, and each code that has no answer is named.
    expect(covered.filter((code) => !PAYERS[payerId]?.(code))).toEqual([]);
    for (const code of codes)
      expect(covered.includes(code) !== notes.includes(code), `${payerId}: ${code}`).toBe(true);
  }
});
