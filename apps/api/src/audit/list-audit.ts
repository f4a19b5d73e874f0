import { AuditList, ListAudit } from '@insurance-verification/schema';
import { listAudit as listStoredAudit } from '@insurance-verification/store';
import { exampleLine } from '../examples/audit.ts';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { query } from '../procedure/trpc.ts';
import { searchOf } from './search-of.ts';

/** Who did or saw what, newest first. Reading it adds a line too. */
export const listAudit = () =>
  query({
    meta: {
      operation: 'audit.list',
      openapi: {
        summary: 'List who did what, newest first',
        description:
          "Pages through who did or saw what, and when. Every read of a patient's data has its line; what a person's page reads again within 15 minutes has one for the requests that it had not seen. A list is one line: `request_id` finds it by each request that was in it. With filters that few lines meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last.",
        tags: ['Access'],
      },
      limit: 'reads',
      example: {
        limit: 20,
        cursor: '48213',
        key_id: EXAMPLE_IDS.key,
        name: 'billing',
        account_id: EXAMPLE_IDS.account,
        operation: 'requests.get',
        request_id: EXAMPLE_IDS.request,
        subject_id: EXAMPLE_IDS.held,
        since: '2026-11-20T00:00:00Z',
        until: '2026-11-21T00:00:00Z',
      },
      answers: {
        page: {
          items: [exampleLine],
          next_cursor: null,
        },
      },
    },
    input: ListAudit,
    output: AuditList,
    handler: async ({ ctx, input }) => listStoredAudit(ctx.app.store, searchOf(ctx.caller, input)),
  });
