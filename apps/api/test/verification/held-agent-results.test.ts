import type {
  HeldOutputDetail,
  HeldOutputList,
  RequestBenefits,
  VerificationAttemptList,
} from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { transports } from '../transports.ts';
import { aFinding, aLease, aRouteFile, claim } from './work.ts';

const PORTAL = 'agent_web_portal';
const PHONE = 'manual_phone_call';

const service = useService(() => ({ env: aRouteFile([PORTAL, PHONE], { agent_results: 'held' }) }));

const stateOf = async (id: string) =>
  (await service.answer<{ state: string }>('GET', `/requests/${id}`)).state;

// Breaks if what an agent was talked into is on its way before anybody has seen it.
describe.each(transports)('over $name', (transport) => {
  test('what an agent submits is held, and an operator applies it or sends the request on', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const { lease_token } = item;
    const submission = { request_id, lease_token, insurance_data: [aFinding(item)] };
    const submitted = await transport.call(service, 'work.submit', submission);
    expect(submitted.status).toBe(200);
    expect(submitted.json).toEqual(
      transport.success({ status: 'held', held_id: expect.stringMatching(/^held_/) }),
    );
    expect(await stateOf(request_id)).toBe('pending');
    const { items } = await service.answer<HeldOutputList>('GET', '/held-outputs?reason=agent_result');
    const [held] = items;
    expect(held).toMatchObject({ reason: 'agent_result', request_id });
    expect(await service.answer('GET', `/held-outputs/${held?.held_id}/comparison`)).toMatchObject({
      sentence:
        'Held as an agent’s result: an agent found it, and the route of its payer has a person look first.',
    });
    await transport.call(service, 'heldOutputs.apply', { held_id: held?.held_id });
    expect(await stateOf(request_id)).toBe('complete');
    const attempts = await service.answer<VerificationAttemptList>('GET', `/requests/${request_id}/attempts`);
    expect(attempts.items).toMatchObject([{ channel: PORTAL, outcome: 'succeeded', result_version: 1 }]);

    const other = await aLease(service, PORTAL);
    const wrong = { request_id: other.request.request_id, lease_token: other.lease_token };
    const again = await transport.call(service, 'work.submit', {
      ...wrong,
      insurance_data: [aFinding(other)],
    });
    const { held_id } = transport.output<{ held_id: string }>(again);
    await transport.call(service, 'heldOutputs.dismiss', { held_id });
    await until('a person is given it', async () =>
      (await claim(service, [PHONE], { max: 50 })).some(
        ({ request }) => request.request_id === other.request.request_id,
      ),
    );
  });

  /** An agent's finding with a co-payment, held. */
  async function aHeld(amount = '25') {
    const item = await aLease(service, PORTAL);
    const { request, lease_token } = item;
    const benefits = [
      {
        entry: 0,
        group_number: '70112',
        benefits: [{ kind: 'copayment', network: 'in', amount, quote: 'Copay: $25' }],
      },
    ];
    const submission = {
      request_id: request.request_id,
      lease_token,
      insurance_data: [aFinding(item)],
      benefits,
      reference: 'R-7',
    };
    const submitted = await transport.call(service, 'work.submit', submission);
    const { held_id } = transport.output<{ held_id: string }>(submitted);
    return { request, submission, submitted: submitted.json, held_id };
  }

  const COVERAGE = {
    entry: 0,
    plan_name: 'Dental PPO',
    group_number: '70112',
    benefits: [
      {
        benefit_id: 'b0',
        kind: 'copayment',
        amount: '25.00',
        source: { kind: 'verifier', attempt: 1, quote: 'Copay: $25', reference: 'R-7' },
      },
    ],
    summary: { plan: { in_network: { copayment: { value: '25.00', benefit_ids: ['b0'] } } } },
  };

  // Breaks if an operator decides without seeing what would be sent, or what was seen is lost on the way.
  test('benefits are held encrypted with it, shown for the review, and are the result’s once it is applied', async () => {
    const { request, submission, submitted, held_id } = await aHeld();
    const { request_id } = request;
    const [kept] = await rows<{ benefits: Buffer }>(
      service.databaseUrl,
      'select benefits from held_output where id = $1',
      [held_id],
    );
    expect(kept?.benefits.toString('latin1')).not.toMatch(/copay|70112/i);
    const held = transport.output<HeldOutputDetail>(
      await transport.call(service, 'heldOutputs.get', { held_id }),
    );
    expect(held.benefits).toMatchObject([COVERAGE]);
    expect(held.output).not.toHaveProperty('benefits');
    const compared = await transport.call(service, 'heldOutputs.compare', { held_id });
    expect(transport.output<{ held: HeldOutputDetail }>(compared).held.benefits).toEqual(held.benefits);
    expect((await transport.call(service, 'requests.benefits', { request_id })).status).toBe(404);
    // The same again is the same held output; other benefits under the used lease are refused.
    expect((await transport.call(service, 'work.submit', submission)).json).toEqual(submitted);
    const other = { ...submission, benefits: [{ entry: 0, benefits: [{ kind: 'active' }] }] };
    expect((await transport.call(service, 'work.submit', other)).json).toEqual(
      transport.problem('lease_lost'),
    );

    await transport.call(service, 'heldOutputs.apply', { held_id });
    const found = await transport.call(service, 'requests.benefits', { request_id });
    expect(transport.output<RequestBenefits>(found)).toMatchObject({ version: 1, coverages: [COVERAGE] });
    const attempts = await transport.call(service, 'requests.attempts', { request_id });
    expect(transport.output<VerificationAttemptList>(attempts).items).toMatchObject([
      { provenance: [{ field: '/0/benefits/b0', source: PORTAL, quote: 'Copay: $25' }] },
    ]);
  });

  // Breaks if a correction takes the benefits of what it corrects, or changes them.
  test('a correction has benefits of its own, and each version keeps its own', async () => {
    const { request, held_id } = await aHeld();
    const { request_id } = request;
    await transport.call(service, 'heldOutputs.apply', { held_id });
    const other = await aHeld('40');
    await transport.call(service, 'heldOutputs.apply', { held_id: other.held_id, request_id });
    const plain = anOutput(request, { notes: 'Without any.' });
    const { held_id: last } = await service.answer<{ held_id: string }>(
      'POST',
      '/verification-output',
      plain,
    );
    await transport.call(service, 'heldOutputs.apply', { held_id: last });
    const copayments = async (version: number) => {
      const found = await transport.call(service, 'requests.benefits', { request_id, version });
      return transport
        .output<RequestBenefits>(found)
        .coverages.flatMap(({ benefits }) =>
          benefits.map(({ amount, source }) => [amount, 'attempt' in source && source.attempt]),
        );
    };
    expect(await copayments(1)).toEqual([['25.00', 1]]);
    // Found for another request: the attempt is the one that its application wrote.
    expect(await copayments(2)).toEqual([['40.00', 2]]);
    expect(await copayments(3)).toEqual([]);
  });

  test('dismissed, together or one by one, they are gone', async () => {
    const one = await aHeld();
    await transport.call(service, 'heldOutputs.dismiss', { held_id: one.held_id });
    const two = await aHeld();
    await transport.call(service, 'heldOutputs.dismissMany', { reason: 'agent_result' });
    for (const { held_id } of [one, two]) {
      const answer = await transport.call(service, 'heldOutputs.get', { held_id });
      const held = transport.output<HeldOutputDetail>(answer);
      expect(held.status).toBe('dismissed');
      expect(held).not.toHaveProperty('benefits');
    }
    expect(
      await rows(
        service.databaseUrl,
        `select id from held_output where status = 'dismissed' and benefits is not null`,
        [],
      ),
    ).toEqual([]);
  });
});

test('what an agent posts to /verification-output is held as well', async () => {
  const { request } = await aLease(service, PORTAL);
  const output = anOutput(request);
  const insurance_data = output.insurance_data.map((entry) => ({ ...entry, verification_source: PORTAL }));
  expect(await service.answer('POST', '/verification-output', { ...output, insurance_data })).toMatchObject({
    status: 'held',
    reason: 'agent_result',
  });
});
