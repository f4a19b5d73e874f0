import type { ListAudit } from '@insurance-verification/schema';
import type { AuditSearch, Caller } from '@insurance-verification/store';
import { assertCursor } from '../procedure/cursor.ts';

/** What is searched for in the audit, for a list or an export. */
export function searchOf(caller: Caller, input: ListAudit): AuditSearch {
  assertCursor(input.cursor === undefined || isAuditId(input.cursor));
  return {
    caller,
    limit: input.limit,
    cursor: input.cursor,
    keyId: input.key_id,
    name: input.name,
    accountId: input.account_id,
    operation: input.operation,
    requestId: input.request_id,
    subjectId: input.subject_id,
    since: toDate(input.since),
    until: toDate(input.until),
  };
}

/** Lines are numbered by a bigint, whose largest value has 19 digits. */
const isAuditId = (text: string) => /^[1-9]\d{0,17}$/.test(text);

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
