import { WorkDay, WorkDayStart } from '@insurance-verification/schema';
import { measureOwnDay } from '@insurance-verification/store';
import { query } from '../../procedure/trpc.ts';

/** What the caller has done by hand today. */
export const workDay = () =>
  query({
    meta: {
      operation: 'work.day',
      openapi: {
        summary: "Show the caller's own day",
        description:
          'Counts what the caller handed in, and could not find out, by portal and phone since `since`, with the median time from taking a request to its end; and the drafts that it has.',
        tags: ['Work'],
      },
      limit: 'reads',
      example: { since: '2026-11-20T05:00:00Z' },
      answers: { day: { done_count: 42, failed_count: 3, seconds_p50: 131.5, draft_count: 1 } },
    },
    input: WorkDayStart,
    output: WorkDay,
    handler: ({ ctx: { app, caller }, input: { since } }) =>
      measureOwnDay(app.store, { caller, since: since === undefined ? undefined : new Date(since) }),
  });
