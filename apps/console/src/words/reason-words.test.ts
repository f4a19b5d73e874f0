import { FailureReason, VerificationSource } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { reasonsFor } from './reason-words.ts';

// Broke: every channel listed 28 reasons in the order of X12, and "Nobody at the payer answered" was the 25th of a call.
test('a call that nobody answered is the first reason of the phone, and a second factor of the portal', () => {
  expect(reasonsFor('manual_phone_call')[0]).toBe('no_human_in_time');
  expect(reasonsFor('manual_web_portal')[0]).toBe('portal_two_factor');
  expect(reasonsFor('manual_web_portal').at(-1)).toBe('phone_number_incorrect');
});

test.each(VerificationSource.options)('the reasons of %s are all there, each once', (channel) => {
  expect(reasonsFor(channel).toSorted()).toEqual([...FailureReason.options].toSorted());
});
