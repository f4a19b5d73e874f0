import { FailureReason, VerificationSource } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { reasonsFor } from './reason-words.ts';

const AFTER_THOSE_OF_THE_CHANNEL = [
  'gender_invalid',
  'service_date_invalid',
  'service_needs_review',
  'payer_missing',
  'payer_throttled',
  'payer_id_invalid',
  'payer_response_invalid',
  'attempts_exhausted',
];

// Broke: every channel listed 28 reasons in the order of X12, and "Nobody at the payer answered" was the 25th of a call.
test('an unanswered call is the first reason of the phone, and a second factor of the portal', () => {
  expect(reasonsFor('manual_phone_call')[0]).toBe('no_human_in_time');
  expect(reasonsFor('manual_web_portal')[0]).toBe('portal_two_factor');
  expect(reasonsFor('manual_web_portal').at(-1)).toBe('phone_number_incorrect');
});

// Breaks when a new reason has no place in the list: verifiers would look for it in the order of X12.
test('these reasons come after those of the channel, and any other has a place by hand', () => {
  const phone = reasonsFor('manual_phone_call');
  const after = phone.slice(phone.indexOf('payer_unavailable') + 1, phone.indexOf('portal_two_factor'));
  expect(after).toEqual(AFTER_THOSE_OF_THE_CHANNEL);
});

test.each(VerificationSource.options)('the reasons of %s are all there, each once', (channel) => {
  expect(reasonsFor(channel).toSorted()).toEqual([...FailureReason.options].toSorted());
});
