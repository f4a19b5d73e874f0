import { ClearedDemoDay } from '@insurance-verification/schema';
import { removeDemoAccounts } from '@insurance-verification/store';
import { nothingHere } from '../procedure/problem/problem.ts';
import { mutation } from '../procedure/trpc.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { DEMO_REQUESTS } from './the-day.ts';

/** Deletes the demo day, whole. */
export const clearDemoDay = () =>
  mutation({
    meta: {
      operation: 'demo.clearDay',
      openapi: {
        summary: 'Delete the demo day',
        description:
          'Deletes the test accounts of the demo day with everything of theirs. The audit keeps its entries. 404 anywhere but on a machine of one’s own.',
        tags: ['Intake'],
      },
      changes: ['access', 'request', 'work', 'held', 'delivery'],
      problems: ['not_found'],
      answers: { cleared: { request_count: DEMO_REQUESTS.length } },
    },
    output: ClearedDemoDay,
    handler: async ({ ctx: { app, caller } }) => {
      if (!app.config.local) throw nothingHere();
      return oneAtATime(async () => ({ request_count: await removeDemoAccounts(app.store, { caller }) }));
    },
  });
