import type { SealingStop } from '@insurance-verification/schema';
import {
  listAudit,
  listReaders as listStoredReaders,
  listSeals,
  reachesSeals,
  verifyAudit,
} from '@insurance-verification/store';
import { assertCursor } from '../procedure/cursor.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import type { Handler, Handlers } from '../procedure/procedure.ts';
import type { SealingStatus } from '../telemetry/sealing-status.ts';
import { exportAudit } from './export/export-audit.ts';
import { isSealNumber } from './is-seal-number.ts';
import { searchOf } from './search-of.ts';

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

  export: exportAudit,

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
