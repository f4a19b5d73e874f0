import { HeldOutputList, ListHeldOutputs } from '@insurance-verification/schema';
import { listHeldOutputs as listStoredHeldOutputs } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { readCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';

/** Outputs that wait for an operator, held for one reason or any. */
export const listHeldOutputs = () =>
  query({
    meta: {
      operation: 'heldOutputs.list',
      openapi: {
        summary: 'List held outputs',
        description:
          'Pages through the outputs that wait for an operator: from a sender who is not trusted, about no request that is known, about another patient, or a second and different result. They are kept for 30 days.',
        tags: ['Output'],
      },
      limit: 'reads',
      example: {
        limit: 20,
        cursor: EXAMPLE_IDS.held,
        order: 'newest',
        reason: 'superseding',
        since: '2026-11-20T00:00:00Z',
        until: '2026-11-21T00:00:00Z',
      },
      answers: {
        page: {
          items: [
            {
              held_id: EXAMPLE_IDS.held,
              reason: 'untrusted',
              received_at: '2026-11-20T10:15:00.000Z',
              request_id: EXAMPLE_IDS.request,
              account_name: 'Main Street Dental',
              payer: 'Northwind Health',
              patient_initials: 'J. D.',
              offered_by: 'Night team',
              differs: ['dob', 'subscriber_id'],
              changes: ['eligibility_status', 'end_date'],
            },
          ],
          next_cursor: null,
        },
      },
    },
    input: ListHeldOutputs,
    output: HeldOutputList,
    handler: async ({ ctx, input: { cursor, since, until, ...options } }) =>
      listStoredHeldOutputs(ctx.app.store, {
        caller: ctx.caller,
        cursor: readCursor('held', cursor),
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        ...options,
      }),
  });
