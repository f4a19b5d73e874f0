import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SANDBOX_MEMBER_IDS } from './sandbox-members.ts';
import { FailureReason } from './work.ts';

// A client's tests are written against these ids; one that changes its outcome breaks them all.
test('has an id for every way a verification can end', () => {
  const failed = Object.values(SANDBOX_MEMBER_IDS).flatMap((outcome) =>
    outcome.kind === 'failed' ? [outcome.errorReason] : [],
  );
  expect(failed).toEqual(FailureReason.options);
  expect(SANDBOX_MEMBER_IDS['TEST-MEMBER-NOT-FOUND']).toEqual({
    kind: 'failed',
    errorReason: 'member_not_found',
  });
});

test('is the table of the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const named = Object.entries(SANDBOX_MEMBER_IDS).filter(([, { kind }]) => kind !== 'failed');
  const listed = [...readme.matchAll(/^\| `(TEST-[A-Z-]+)` /gm)].map(([, id]) => id);
  expect(listed).toEqual(named.map(([id]) => id));
});
