import type { Outcome } from '@insurance-verification/schema';

/** The groups of finished requests, by two columns of an index. */
export const FINISHED = (['complete', 'error_verifying'] as const satisfies Outcome[]).flatMap((outcome) =>
  [false, true].map((undelivered) => ({ outcome, undelivered })),
);
