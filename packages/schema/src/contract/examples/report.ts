import { EXAMPLE_IDS } from './ids.ts';

/** A report's range, in the document. */
export const exampleRange = {
  from: '2026-11-20T00:00:00Z',
  until: '2026-11-21T00:00:00Z',
  step: 'day',
  zone: 'UTC',
  account_id: EXAMPLE_IDS.account,
} as const;

/** The head of its answer. */
export const exampleHead = {
  from: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  step: 'day',
  zone: 'UTC',
  counted_until: '2026-11-21T09:30:00.000Z',
} as const;
