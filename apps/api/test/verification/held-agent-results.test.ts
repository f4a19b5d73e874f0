import type { HeldOutputList, VerificationAttemptList } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { doors } from '../doors.ts';
import { aFinding, aLease, aRouteFile, claim } from './work.ts';

const PORTAL = 'agent_web_portal';
const PHONE = 'manual_phone_call';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: aRouteFile([PORTAL, PHONE], { agent_results: 'held' }) });
});
afterAll(() => service.stop());

const stateOf = async (id: string) =>
  (await service.answer<{ state: string }>('GET', `/requests/${id}`)).state;

// Breaks if what an agent was talked into is on its way before anybody has seen it.
describe.each(doors)('through $name', (door) => {
  test('what an agent submits is held, and an operator applies it or sends the request on', async () => {
    const item = await aLease(service, PORTAL);
    const { request_id } = item.request;
    const { lease_token } = item;
    const submission = { request_id, lease_token, insurance_data: [aFinding(item)] };
    const submitted = await door.call(service, 'work.submit', submission);
    expect(submitted.status).toBe(200);
    expect(submitted.json).toEqual(
      door.success({ status: 'held', held_id: expect.stringMatching(/^held_/) }),
    );
    expect(await stateOf(request_id)).toBe('pending');
    const { items } = await service.answer<HeldOutputList>('GET', '/held-outputs?reason=agent_result');
    const [held] = items;
    expect(held).toMatchObject({ reason: 'agent_result', request_id });
    expect(await service.answer('GET', `/held-outputs/${held?.held_id}/comparison`)).toMatchObject({
      sentence:
        'Held as agent_result: an agent found it, and the route of its payer has a person look first.',
    });
    await door.call(service, 'heldOutputs.apply', { held_id: held?.held_id });
    expect(await stateOf(request_id)).toBe('complete');
    const attempts = await service.answer<VerificationAttemptList>('GET', `/requests/${request_id}/attempts`);
    expect(attempts.items).toMatchObject([{ channel: PORTAL, outcome: 'succeeded', result_version: 1 }]);

    const other = await aLease(service, PORTAL);
    const wrong = { request_id: other.request.request_id, lease_token: other.lease_token };
    const again = await door.call(service, 'work.submit', { ...wrong, insurance_data: [aFinding(other)] });
    const { held_id } = door.output<{ held_id: string }>(again);
    await door.call(service, 'heldOutputs.dismiss', { held_id });
    await until('a person is given it', async () =>
      (await claim(service, [PHONE], { max: 50 })).some(
        ({ request }) => request.request_id === other.request.request_id,
      ),
    );
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
