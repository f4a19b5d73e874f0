import { ReceiverList } from '@insurance-verification/schema';
import { listReceivers as listStoredReceivers } from '@insurance-verification/store';
import { query } from '../../procedure/trpc.ts';

/** The callback hosts of the last day, and those for which something waits. */
export const listReceivers = () =>
  query({
    meta: {
      operation: 'receivers.list',
      openapi: {
        summary: 'List receivers',
        description:
          'Reports for each callback host, over all accounts, how the attempts of the last 24 hours ended, how much waits for it and how much was given up, what it answered last, and whether it is left alone and until when. Those for which the most was given up come first.',
        tags: ['Delivery'],
      },
      limit: 'reads',
      answers: {
        left_alone: {
          items: [
            {
              host: 'billing.example:443',
              taken_count: 312,
              failed_count: 44,
              waiting_count: 27,
              given_up_count: 5,
              last_attempt_at: '2026-11-21T09:29:48.120Z',
              last_outcome: 'http_error',
              last_status_code: 503,
              left_alone_since: '2026-11-21T09:12:03.511Z',
              next_try_at: '2026-11-21T09:30:18.004Z',
            },
          ],
        },
      },
    },
    output: ReceiverList,
    handler: async ({ ctx: { app, caller } }) => ({
      items: await listStoredReceivers(app.store, { caller }),
    }),
  });
