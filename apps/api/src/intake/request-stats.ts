import { RequestStats } from '@insurance-verification/schema';
import { countRequests } from '@insurance-verification/store';
import { query } from '../procedure/trpc.ts';

/** What calls for somebody. It shows no single request, and so leaves no line in the access log. */
export const requestStats = () =>
  query({
    meta: {
      operation: 'requests.stats',
      openapi: {
        summary: 'Count the requests that somebody should look at',
        description:
          'Counts, up to 10,000 each, the requests without a result although the time at which they are needed is past, and the deliveries that were given up. With scope `operate` those of every account.',
        tags: ['Intake'],
      },
      limit: 'reads',
      answers: { some: { late_count: 3, given_up_count: 5 } },
    },
    output: RequestStats,
    handler: ({ ctx: { app, caller } }) => countRequests(app.store, { caller }),
  });
