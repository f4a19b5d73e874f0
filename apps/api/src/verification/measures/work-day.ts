import {
  DoneWorkList,
  initialsOf,
  type Schemas,
  WorkDay,
  WorkDayStart,
} from '@insurance-verification/schema';
import { listOwnDone, measureOwnDay } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleRequest } from '../../examples/request.ts';
import { query } from '../../procedure/trpc.ts';

/** What the caller has done by hand today. */
export const workDay = () =>
  query({
    meta: {
      operation: 'work.day',
      openapi: {
        summary: "Show the caller's own day",
        description:
          'Counts what the caller submitted, and could not verify, by portal and phone since `since`, with the median time from taking a request to its end; and the drafts that it has.',
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

/** What the caller has done by hand today, request by request. */
export const workDone = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'work.done',
      ownWork: true,
      openapi: {
        summary: 'List what the caller did today',
        description:
          'Lists the requests that the caller submitted a result of, or could not verify, by portal and phone since `since`, the latest first, with how the webhook of each stands. For a day the caller may read each: `requests.get`, `requests.result`, `requests.benefits`, `requests.attempts`.',
        tags: ['Work'],
      },
      limit: 'reads',
      example: { since: '2026-11-20T05:00:00Z' },
      answers: {
        one: {
          items: [
            {
              request_id: EXAMPLE_IDS.request,
              payer: exampleRequest(schemas).payer_info.name,
              patient_initials: initialsOf(exampleRequest(schemas).patient_info.name),
              channel: 'manual_phone_call',
              ended_at: '2026-11-20T10:15:00.000Z',
              outcome: 'succeeded',
              error_reason: null,
              result_version: 1,
              delivery: 'delivered',
            },
          ],
        },
      },
    },
    input: WorkDayStart,
    output: DoneWorkList,
    handler: async ({ ctx: { app, caller }, input: { since } }) => ({
      items: await listOwnDone(app.store, {
        caller,
        since: since === undefined ? undefined : new Date(since),
      }),
    }),
  });
