import type { VerifyWithin } from '@insurance-verification/schema';

/** What a verifier is kept to, in a line; null where to nothing. */
export function boundsInWords(within: VerifyWithin | null): string | null {
  if (within === null) return null;
  const parts = [
    ['payers', within.payer_ids],
    ['channels', within.channels],
    ['accounts', within.account_ids],
  ] as const;
  const told = parts.flatMap(([name, kept]) => (kept ? [`${name} ${kept.join(', ')}`] : []));
  return told.length === 0 ? null : `Verifies for ${told.join('; ')} alone`;
}
