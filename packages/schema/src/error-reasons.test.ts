import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ErrorReason } from './error-reason.ts';
import { ERROR_REASONS } from './error-reasons.ts';

// Slugs are stored and sent; renaming or removing one breaks whoever branches on it.
test('has exactly the slugs of the published registry, in order', () => {
  expect(ErrorReason.options.join(' ')).toBe(
    'member_not_found member_id_invalid member_ambiguous name_mismatch dob_mismatch gender_invalid not_in_plan ' +
      'request_incomplete service_invalid service_date_invalid service_needs_review payer_missing ' +
      'provider_not_enrolled provider_data_invalid ' +
      'payer_unavailable payer_throttled payer_id_invalid payer_response_invalid ' +
      'portal_credentials_invalid portal_two_factor portal_maintenance patient_data_suppressed ' +
      'ivr_failure payer_refusal no_human_in_time phone_number_incorrect ' +
      'attempts_exhausted requires_other_channel webhook_exhausted webhook_gone webhook_blocked_address',
  );
  expect(Object.keys(ERROR_REASONS)).toEqual(ErrorReason.options);
});

test('says in one sentence what each slug means', () => {
  for (const { sentence } of Object.values(ERROR_REASONS)) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('never sends a delivery failure on to another channel to the payer', () => {
  const deliveries = ErrorReason.options.filter((slug) => slug.startsWith('webhook_'));
  expect(deliveries.map((slug) => ERROR_REASONS[slug].nextChannelMayHelp)).toEqual([false, false, false]);
});

test('is the table of the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = Object.entries(ERROR_REASONS).map(
    ([slug, { fixedBy, retryable, nextChannelMayHelp, sentence }]) =>
      `| \`${slug}\` | ${fixedBy} | ${retryable ? 'yes' : 'no'} | ${nextChannelMayHelp ? 'yes' : 'no'} | ${sentence} |`,
  );
  // The formatter pads the cells of a table.
  expect(readme.replaceAll(/ +\| ?/g, ' | ').replaceAll(/ +$/gm, '')).toContain(rows.join('\n'));
});
