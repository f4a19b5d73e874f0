import { AuditList, ListAudit } from '@insurance-verification/schema';
import { listAudit as listStoredAudit } from '@insurance-verification/store';
import { assertCursor } from '../procedure/cursor.ts';
import { EXAMPLE_IDS } from '../procedure/example-ids.ts';
import { query } from '../procedure/trpc.ts';

/** Who did or saw what, newest first. Reading it adds a line too. */
export const listAudit = () =>
  query({
    meta: {
      operation: 'audit.list',
      openapi: {
        summary: 'List who did what, newest first',
        description:
          "Pages through who did or saw what, and when. Every read of a patient's data has its line. With filters that few lines meet, a page may be short or empty before the last: only a `next_cursor` of null says that it was the last.",
        tags: ['Access'],
      },
      limit: 'reads',
      example: {
        limit: 20,
        cursor: '48213',
        key_id: EXAMPLE_IDS.key,
        account_id: EXAMPLE_IDS.account,
        operation: 'requests.get',
        request_id: EXAMPLE_IDS.request,
        subject_id: EXAMPLE_IDS.held,
        since: '2026-11-20T00:00:00Z',
        until: '2026-11-21T00:00:00Z',
      },
      answers: {
        page: {
          items: [
            {
              audit_id: '48213',
              at: '2026-11-20T09:30:00.000Z',
              key_id: EXAMPLE_IDS.key,
              account_id: EXAMPLE_IDS.account,
              operation: 'requests.create',
              request_id: EXAMPLE_IDS.request,
              subject_id: null,
              emergency: false,
              reason: null,
            },
          ],
          next_cursor: null,
        },
      },
    },
    input: ListAudit,
    output: AuditList,
    handler: async ({ ctx, input }) => {
      assertCursor(input.cursor === undefined || isAuditId(input.cursor));
      return listStoredAudit(ctx.app.store, {
        caller: ctx.caller,
        limit: input.limit,
        cursor: input.cursor,
        keyId: input.key_id,
        accountId: input.account_id,
        operation: input.operation,
        requestId: input.request_id,
        subjectId: input.subject_id,
        since: toDate(input.since),
        until: toDate(input.until),
      });
    },
  });

/** Lines are numbered by a bigint, whose largest value has 19 digits. */
const isAuditId = (text: string) => /^[1-9]\d{0,17}$/.test(text);

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
