import { AuditList, ListAudit } from '@insurance-verification/schema';
import { type AuditLine, listAudit as listStoredAudit } from '@insurance-verification/store';
import { assertCursor } from '../cursor.ts';
import { query } from '../trpc.ts';

/** Who did or saw what, newest first. Reading it leaves a line as well. */
export const listAudit = () =>
  query({
    meta: {
      openapi: {
        method: 'GET',
        path: '/audit',
        summary: 'List who did what, newest first',
        tags: ['Access'],
      },
      scopes: ['audit'],
      limit: 'reads',
    },
    input: ListAudit,
    output: AuditList,
    handler: async ({ ctx, input }) => {
      assertCursor(input.cursor === undefined || isAuditId(input.cursor));
      const { items, nextCursor } = await listStoredAudit(ctx.app.store, ctx.caller, {
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
      return { items: items.map(toLine), next_cursor: nextCursor };
    },
  });

/** Lines are numbered by a bigint, whose largest value has 19 digits. */
const isAuditId = (text: string) => /^[1-9]\d{0,17}$/.test(text);

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

function toLine(line: AuditLine) {
  return {
    audit_id: line.id,
    at: line.at.toISOString(),
    key_id: line.keyId,
    account_id: line.accountId,
    operation: line.operation,
    request_id: line.requestId,
    subject_id: line.subjectId,
  };
}
