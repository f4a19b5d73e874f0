import type { VerificationSource } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { aRoute } from '../../../test/ground/work-queue.ts';
import { workableQueues } from './choose-work.ts';

const channels = ['api', 'agent_web_portal', 'manual_phone_call'] as const;
const strict = aRoute(channels);
const skipping = aRoute(channels, { skipsUnattended: true });
const queues = (route: typeof strict, works: VerificationSource[], attended: VerificationSource[] = []) =>
  workableQueues(route, new Set(works), (channel) => attended.includes(channel)).map(
    ({ queue, channel }) => `${queue} as ${channel.source}`,
  );

// Without it a person would get requests that the API has not tried, or nobody those waiting at the entry.
test('a verifier takes what waits in its channels; the entry is the first', () => {
  expect(queues(strict, ['manual_phone_call'])).toEqual(['manual_phone_call as manual_phone_call']);
  expect(queues(strict, ['api'])).toEqual([
    'entry as api',
    'manual_web_portal as api',
    'agent_phone_call as api',
    'api as api',
  ]);
  expect(queues(strict, [])).toEqual([]);
});

// Without it a verifier of several channels would get the expensive one first.
test('of several channels the earliest is worked', () => {
  expect(queues(strict, ['manual_phone_call', 'agent_web_portal'])).toEqual([
    'manual_phone_call as manual_phone_call',
    'agent_web_portal as agent_web_portal',
  ]);
});

// Without it a first run with one person and no agent would have nothing to do for hours.
test('a route that skips unattended channels gives to the verifiers that are there', () => {
  expect(queues(skipping, ['manual_phone_call'])).toContain('entry as manual_phone_call');
  expect(queues(skipping, ['manual_phone_call'], ['api'])).toEqual([
    'manual_phone_call as manual_phone_call',
    'agent_web_portal as manual_phone_call',
  ]);
  expect(queues(skipping, ['manual_phone_call'], ['agent_web_portal'])).toEqual([
    'manual_phone_call as manual_phone_call',
  ]);
});
