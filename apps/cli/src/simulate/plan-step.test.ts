import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { expect, test } from 'vitest';
import { parseMix, planStep } from './plan-step.ts';

const mix = parseMix('active=60,inactive=10,fail=20,silent=5,release=5');
const aPendingRequest = (subscriberId: string): RequestModel => ({
  request_id: `req_${Math.random()}`,
  input: aRequest({ patient_info: { subscriber_id: subscriberId } }),
  received_timestamp: new Date().toISOString(),
  state: 'pending',
  error_reason: null,
});
const planOf = (seed: string, subscriberId: string) =>
  planStep(seed, mix, { request: aPendingRequest(subscriberId), channel: 'api', attempt: 1 });
const members = Array.from({ length: 2_000 }, (_, index) => `W${index}`);

// Without it a demo could not be repeated, nor a failing run be debugged.
test('equal seeds give equal requests equal ends, whatever their ids', () => {
  for (const member of members.slice(0, 50)) expect(planOf('7', member)).toEqual(planOf('7', member));
  expect(members.map((member) => planOf('7', member).kind)).not.toEqual(
    members.map((member) => planOf('8', member).kind),
  );
});

test('each end comes about as often as its weight says, in plausible times', () => {
  const plans = members.map((member) => planOf('7', member));
  const share = (kind: string) => plans.filter((plan) => plan.kind === kind).length / plans.length;
  expect(share('active')).toBeCloseTo(0.6, 1);
  expect(share('fail')).toBeCloseTo(0.2, 1);
  expect(new Set(plans.map(({ errorReason }) => errorReason)).size).toBeGreaterThan(20);
  for (const { seconds } of plans) expect(seconds >= 1 && seconds <= 20).toBe(true);
});

test('a mix names its kinds and at least one weight', () => {
  expect(parseMix('fail=1')).toEqual({ active: 0, inactive: 0, fail: 1, silent: 0, release: 0 });
  for (const text of ['', 'fail', 'fail=0', 'happy=1', 'fail=-1'])
    expect(() => parseMix(text)).toThrow('Expected');
});
