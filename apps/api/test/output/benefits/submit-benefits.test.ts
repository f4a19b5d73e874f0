import type { RequestBenefits } from '@insurance-verification/schema';
import { aReceiver } from '@insurance-verification/testing/a-receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { transports } from '../../transports.ts';
import { aFinding, aLease, aRouteFile } from '../../verification/work.ts';
import { COPAY, SAID } from './what-was-heard.ts';

const PHONE = 'manual_phone_call';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: aRouteFile([PHONE]) });
});
afterAll(() => service.stop());

describe.each(transports)('over $name', (transport) => {
  const submit = (
    { request, lease_token }: Awaited<ReturnType<typeof aLease>>,
    input: Readonly<Record<string, unknown>>,
  ) => transport.call(service, 'work.submit', { request_id: request.request_id, lease_token, ...input });
  const benefitsOf = async (request_id: string, version?: number) =>
    transport.output<RequestBenefits>(
      await transport.call(service, 'requests.benefits', { request_id, ...(version && { version }) }),
    );

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

  test('they are sealed, the webhook names them in a header and its body has none', async () => {
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
