import type { ListAudit, SealingStop } from '@insurance-verification/schema';
import {
  type AuditSearch,
  type Caller,
  exportAudit,
  listAudit,
  listReaders as listStoredReaders,
  listSeals,
  reachesSeals,
  verifyAudit,
} from '@insurance-verification/store';
import { assertCursor } from '../procedure/cursor.ts';
import type { Handler, Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import type { SealingStatus } from '../telemetry/sealing-status.ts';
import { auditPart } from './audit-part.ts';

/** Who saw one request, and what else was done with it. */
export const listReaders: Handler<'requests.readers'> = async ({ ctx, input: { request_id: requestId } }) => {
  const listed = await listStoredReaders(ctx.app.store, { caller: ctx.caller, requestId });
  if (listed.kind !== 'found') return refuse(listed);
  ctx.call.concerns(requestId);
  return { items: listed.readers };
};

/** The audit, and the proof that no entry was altered. */
export const audit: Handlers<'audit'> = {
  list: async ({ ctx, input }) => listAudit(ctx.app.store, searchOf(ctx.caller, input)),

  /** Parts rather than one stream: a slow reader does not hold a database connection. */
  export: async ({ ctx, input: { format, ...input } }) => {
    const page = await exportAudit(ctx.app.store, searchOf(ctx.caller, input));
    return { ...auditPart(format, page.items, input.cursor === undefined), next_cursor: page.next_cursor };
  },

  seals: async ({ ctx, input: { limit, cursor } }) => {
    assertCursor(cursor === undefined || isSealNumber(cursor));
    const { caller, app } = ctx;
    const listed = await listSeals(app.store, {
      caller,
      limit,
      cursor: cursor === undefined ? undefined : Number(cursor),
    });
    return {
      ...listed,
      verifier_keys: app.sealKey?.verifiers.map(({ text }) => text) ?? [],
      stopped: reachesSeals(caller) ? toStop(app.sealing.stopped()) : null,
    };
  },

  verify: ({ ctx: { app, caller }, input: { cursor } }) => {
    assertCursor(cursor === undefined || isSealNumber(cursor));
    const keys = app.sealKey?.verifiers ?? [];
    return verifyAudit(app.store, { caller, keys, after: Number(cursor ?? 0) });
  },
};

function toStop(stopped: ReturnType<SealingStatus['stopped']>): SealingStop | null {
  if (stopped === null) return null;
  const common = { cause: stopped.cause, since: stopped.since.toISOString() };
  if (stopped.cause === 'blocked')
    return { ...common, of: null, number: null, fault: null, holders: [...stopped.holders] };
  const { of, fault } = stopped.cause === 'differs' ? stopped : { of: 'seal' as const, fault: 'forged' };
  return { ...common, of, number: stopped.number, fault, holders: [] };
}

/** What is searched for in the audit, for a list or an export. */
function searchOf(caller: Caller, input: ListAudit): AuditSearch {
  assertCursor(input.cursor === undefined || isAuditId(input.cursor));
  return {
    caller,
    limit: input.limit,
    cursor: input.cursor,
    keyId: input.key_id,
    name: input.name,
    accountId: input.account_id,
    accountMode: input.account_mode,
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

/** A cursor of the seals: the number of one. */
const isSealNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
