import { expect, test } from 'vitest';
import { aRoute } from '../../../test/ground/work-queue.ts';
import { planAfterFailure } from './plan-overdue.ts';

const route = aRoute(['api', 'agent_web_portal', 'manual_phone_call']);
const plan = (failure: Partial<Parameters<typeof planAfterFailure>[1]>, over = route) => {
  const next = planAfterFailure(over, {
    queue: 'api',
    errorReason: 'member_not_found',
    final: false,
    earlierReason: null,
    ...failure,
  });
  return next.kind === 'next_channel' ? next.source : next.errorReason;
};

// Without it a request would skip a channel, loop forever, or end with a channel still untried.
test('a request goes through its route in order, and ends after the last with its reason', () => {
  expect(plan({ queue: 'entry' })).toBe('agent_web_portal');
  expect(plan({ queue: 'api' })).toBe('agent_web_portal');
  expect(plan({ queue: 'agent_web_portal' })).toBe('manual_phone_call');
  expect(plan({ queue: 'manual_phone_call', errorReason: 'payer_refusal' })).toBe('payer_refusal');
});

// Without it a phone call would be made for a request that nobody can verify.
test('a final failure, and one for which no channel may help, end it at once', () => {
  expect(plan({ final: true, errorReason: 'not_in_plan' })).toBe('not_in_plan');
  expect(plan({ errorReason: 'attempts_exhausted' })).toBe('attempts_exhausted');
});

// Without it the provider would read only that every channel was tried, not why they failed.
test('silence in the last channel ends with the latest reason before it, if there is one', () => {
  const silence = { queue: 'manual_phone_call', errorReason: null } as const;
  expect(plan({ ...silence, earlierReason: 'dob_mismatch' })).toBe('dob_mismatch');
  expect(plan(silence)).toBe('attempts_exhausted');
});

// Without it a configuration change would leave requests where nobody may claim them.
test('a channel that the route has dropped counts as its first, a payer without a route ends', () => {
  expect(plan({ queue: 'agent_phone_call' })).toBe('agent_web_portal');
  expect(plan({}, aRoute(['manual_phone_call']))).toBe('member_not_found');
  expect(
    planAfterFailure(undefined, { queue: 'api', errorReason: null, final: false, earlierReason: null }),
  ).toEqual({ kind: 'error_verifying', errorReason: 'attempts_exhausted' });
});
