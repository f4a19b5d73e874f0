import type {
  RequestBenefits,
  VerificationAttemptList,
  VerificationProof,
  WorkItem,
} from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { useService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { transports } from '../../transports.ts';
import { aFinding, aLease, aRouteFile } from '../../verification/work.ts';

const PHONE = 'manual_phone_call';

/** What a person heard on the phone. */
const COPAY = {
  kind: 'copayment',
  service: { types: [{ code: '98' }], places: [{ code: '11' }] },
  network: 'in',
  amount: '25',
  quote: 'Twenty-five for an office visit.',
};

const SAID = [
  { kind: 'deductible', network: 'in', level: 'individual', amount: '1500', period: 'calendar_year' },
  { kind: 'deductible', network: 'in', level: 'individual', amount: '900.00', remaining: true },
  { kind: 'coinsurance', network: 'in', percent: '20.0' },
  { kind: 'coinsurance', network: 'in', percent: '20', plan: null, texts: [] },
  COPAY,
];

const service = useService(() => ({ env: aRouteFile([PHONE]) }));

describe.each(transports)('over $name', (transport) => {
  const submit = (
    { request, lease_token }: Awaited<ReturnType<typeof aLease>>,
    input: Readonly<Record<string, unknown>>,
  ) => transport.call(service, 'work.submit', { request_id: request.request_id, lease_token, ...input });
  const benefitsOf = async (request_id: string, version?: number) =>
    transport.output<RequestBenefits>(
      await transport.call(service, 'requests.benefits', { request_id, ...(version && { version }) }),
    );

  // Breaks if what a person heard is thrown away, or means something else than a payer's row that says the same.
  test('what a person heard is read and summed up as the rows of a payer are', async () => {
    const item = await aLease(service, PHONE);
    const insurance_data = [aFinding(item), aFinding(item, { notes: 'The other plan.' })];
    const benefits = [
      { entry: 1, group_number: '70112', relationship: 'child', order: 'secondary', benefits: [COPAY] },
      { entry: 0, benefits: SAID },
    ];
    const answer = await submit(item, { insurance_data, benefits, reference: 'Call 88-1042' });
    expect(answer.json).toEqual(transport.success({ status: 'applied', version: 1 }));
    const found = await benefitsOf(item.request.request_id);
    expect(found).toMatchObject({
      version: 1,
      verification_source: PHONE,
      service_date: '2026-11-20',
      left_out: 0,
    });
    const [first, second] = found.coverages;
    expect(first?.benefits.map(({ benefit_id: id }) => id)).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
    expect(first?.benefits.at(-1)).toEqual({
      benefit_id: 'b4',
      kind: 'copayment',
      service: {
        types: [{ code: '98', name: 'Office visit' }],
        procedure: null,
        more_procedures: [],
        places: [{ code: '11', name: 'Office' }],
      },
      network: 'in',
      level: null,
      amount: '25.00',
      percent: null,
      quantity: null,
      period: null,
      remaining: false,
      authorization: null,
      frequency: [],
      insurance_type: null,
      plan: null,
      dates: [],
      related: [],
      references: [],
      texts: [],
      source: { kind: 'verifier', attempt: 1, quote: COPAY.quote, reference: 'Call 88-1042' },
    });
    expect(first?.summary.plan.in_network).toMatchObject({
      coinsurance: { value: '20', unit: 'percent', benefit_ids: ['b2', 'b3'] },
      deductible: {
        individual: {
          total: { value: '1500.00', period: 'calendar_year' },
          remaining: { value: '900.00' },
          met: { value: '600.00', benefit_ids: ['b0', 'b1'] },
        },
      },
      maximum: { individual: { total: { why: 'not_said' } } },
    });
    expect(second).toMatchObject({
      group_number: '70112',
      relationship: 'child',
      order: 'secondary',
      benefits: [{ benefit_id: 'b5' }],
    });
    const attempts = await transport.call(service, 'requests.attempts', {
      request_id: item.request.request_id,
    });
    expect(transport.output<VerificationAttemptList>(attempts).items[0]?.provenance).toEqual([
      { field: '/0/benefits/b4', source: PHONE, quote: COPAY.quote },
      { field: '/1/benefits/b5', source: PHONE, quote: COPAY.quote },
    ]);
  });

  // Breaks if what was said of the day of the visit is summed up, or filed, as of the day of the call.
  test('what was heard is of the day that the request asks about, on the page and in the proof', async () => {
    const serviceDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const created = await service.ask('POST', '/requests/', {
      body: aRequest(),
      headers: { 'service-date': serviceDate },
    });
    const { request_id } = created.json as { request_id: string };
    const item = await service.answer<WorkItem>('POST', `/work/${request_id}/claim`, { channels: [PHONE] });
    const benefits = [
      {
        entry: 0,
        benefits: [
          { ...SAID[0], dates: [{ kind: 'plan', start: '2026-01-01', end: '2026-11-20' }] },
          { ...SAID[0], amount: '2000', dates: [{ kind: 'plan', start: '2026-11-21' }] },
        ],
      },
    ];
    await transport.call(service, 'work.submit', {
      request_id,
      lease_token: item.lease_token,
      insurance_data: [aFinding(item)],
      benefits,
    });
    const found = await benefitsOf(request_id);
    expect(found.service_date).toBe(serviceDate);
    expect(found.coverages[0]?.summary.plan.in_network.deductible.individual.total).toMatchObject({
      value: '2000.00',
    });
    const proof = transport.output<VerificationProof>(
      await transport.call(service, 'requests.proof', { request_id }),
    );
    expect([proof.service_date, proof.benefits?.service_date]).toEqual([serviceDate, serviceDate]);
  });

  // Breaks if a total is read from what is left of it.
  test('a period of what is left is what is left', async () => {
    const item = await aLease(service, PHONE);
    const benefits = [
      { entry: 0, benefits: [{ kind: 'deductible', level: 'family', amount: '10', period: 'remaining' }] },
    ];
    await submit(item, { insurance_data: [aFinding(item)], benefits });
    const [coverage] = (await benefitsOf(item.request.request_id)).coverages;
    expect(coverage?.summary.plan.network_not_said?.deductible.family).toMatchObject({
      total: { why: 'not_said' },
      remaining: { value: '10.00', period: null },
    });
  });

  test('an entry that is not there, one named twice, and a number for an amount are 422 at their place', async () => {
    const item = await aLease(service, PHONE);
    const insurance_data = [aFinding(item)];
    const refused = async (benefits: unknown) => (await submit(item, { insurance_data, benefits })).json;
    for (const entry of [1, -1])
      expect(await refused([{ entry, benefits: [COPAY] }])).toEqual(
        transport.invalid({
          loc: ['body', 'benefits', 0, 'entry'],
          msg: 'The entry must be a position in insurance_data',
          type: 'no_such_entry',
        }),
      );
    expect(
      await refused([
        { entry: 0, benefits: [] },
        { entry: 0, benefits: [] },
      ]),
    ).toEqual(
      transport.invalid({
        loc: ['body', 'benefits', 1, 'entry'],
        msg: 'The entry must be named once',
        type: 'entry_named_twice',
      }),
    );
    const about = (benefit: object) => refused([{ entry: 0, benefits: [{ kind: 'copayment', ...benefit }] }]);
    const at = (...path: (string | number)[]) => ['body', 'benefits', 0, 'benefits', 0, ...path];
    const noDecimal = (...path: (string | number)[]) =>
      transport.invalid({
        loc: at(...path),
        msg: 'Input should be a decimal number as text, without sign or unit, such as "25.00"',
        type: 'decimal_text',
      });
    for (const amount of [25, '$25', '-1', '1e3', '', '1,500', '1.', '9'.repeat(16)]) {
      expect(await about({ amount })).toEqual(noDecimal('amount'));
      expect(await about({ percent: amount })).toEqual(noDecimal('percent'));
    }
    expect(await about({ quantity: { value: 2 } })).toEqual(noDecimal('quantity', 'value'));
    expect(await about({ frequency: [{ count: 2 }] })).toEqual(noDecimal('frequency', 0, 'count'));
    const status = async (benefit: object) =>
      (await submit(item, { insurance_data, benefits: [{ entry: 0, benefits: [benefit] }] })).status;
    expect(await status({ amount: '1' })).toBe(422); // without a kind
    expect(await status({ kind: 'copay' })).toBe(422);
    expect(await status({ kind: 'copayment', quote: 'x'.repeat(2_001) })).toBe(422);
    expect(await status({ kind: 'copayment', texts: ['x'.repeat(2_001)] })).toBe(422);
  });

  test('500 benefits are taken, 501 in all are 422', async () => {
    const item = await aLease(service, PHONE);
    const insurance_data = [aFinding(item), aFinding(item)];
    const many = (count: number) => Array.from({ length: count }, () => ({ kind: 'active' }));
    const of = (second: number) => [
      { entry: 0, benefits: many(400) },
      { entry: 1, benefits: many(second) },
    ];
    expect((await submit(item, { insurance_data, benefits: of(101) })).json).toEqual(
      transport.invalid({
        loc: ['body', 'benefits'],
        msg: 'A submission should have at most 500 benefits',
        type: 'too_long',
      }),
    );
    expect((await submit(item, { insurance_data, benefits: of(100) })).status).toBe(200);
  });

  // Breaks if a verifier whose answer was lost is refused, or another answer is taken for the same.
  test('the same sent again is answered as before, with other benefits it is not', async () => {
    const item = await aLease(service, PHONE);
    const insurance_data = [aFinding(item)];
    const benefits = [{ entry: 0, benefits: SAID }];
    const applied = transport.success({ status: 'applied', version: 1 });
    expect((await submit(item, { insurance_data, benefits })).json).toEqual(applied);
    const withNulls = [
      { entry: 0, group_number: null, benefits: SAID.map((one) => ({ ...one, dates: [] })) },
    ];
    for (const same of [benefits, withNulls])
      expect((await submit(item, { insurance_data, benefits: same })).json).toEqual(applied);
    for (const other of [undefined, [], [{ entry: 0, benefits: [COPAY] }]]) {
      const answer = await submit(item, { insurance_data, ...(other && { benefits: other }) });
      expect(answer.json).toEqual(transport.problem('lease_lost'));
    }
  });

  test('they are encrypted, the webhook names them in a header and its body has none', async () => {
    const receiver = await aReceiver();
    const item = await aLease(service, PHONE, { callback_url: receiver.url });
    const benefits = [{ entry: 0, benefits: [COPAY] }];
    await submit(item, { insurance_data: [aFinding(item)], benefits });
    const [webhook] = await receiver.first();
    const { request_id } = item.request;
    expect(webhook?.headers['verification-benefits']).toBe(`/requests/${request_id}/benefits?version=1`);
    expect(webhook?.body).not.toContain('copayment');
    const [kept] = await rows<{ benefits: Buffer }>(
      service.databaseUrl,
      'select benefits from result where request_id = $1',
      [request_id],
    );
    expect(kept?.benefits.toString('latin1')).not.toMatch(/Twenty|copayment/);
  });

  test('without any, or with empty ones, the result came without', async () => {
    const receiver = await aReceiver();
    for (const benefits of [[], [{ entry: 0, benefits: [] }]]) {
      const item = await aLease(service, PHONE, { callback_url: receiver.url });
      expect((await submit(item, { insurance_data: [aFinding(item)], benefits })).status).toBe(200);
      expect(await benefitsOf(item.request.request_id)).toMatchObject({
        service_date: null,
        coverages: [{ benefits: [] }],
      });
    }
    const [webhook] = await receiver.first();
    expect(webhook?.headers).not.toHaveProperty('verification-benefits');
  });
});
