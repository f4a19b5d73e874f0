import { AuditSealList, ListSeals, type SealingStop } from '@insurance-verification/schema';
import { listSeals as listStoredSeals, reachesSeals } from '@insurance-verification/store';
import { EXAMPLE_KEY, exampleSeal } from '../examples/audit.ts';
import { assertCursor } from '../procedure/cursor.ts';
import { query } from '../procedure/trpc.ts';
import type { SealingStatus } from '../telemetry/sealing-status.ts';
import { isSealNumber } from './is-seal-number.ts';

/** The seals of the audit, newest first, and what waits for one. */
export const listSeals = () =>
  query({
    meta: {
      operation: 'audit.seals',
      openapi: {
        summary: 'List the seals of the audit',
        description:
          'Pages through the seals, newest first: each states, signed, what the lines of its range were. With the public keys that verify them, and what is not sealed yet. A test account’s key sees none.',
        tags: ['Access'],
      },
      limit: 'reads',
      example: { limit: 20, cursor: '1205' },
      answers: {
        page: {
          items: [exampleSeal],
          next_cursor: '1204',
          verifier_keys: [EXAMPLE_KEY],
          unsealed_since: '2026-11-20T09:30:05.001Z',
          unsealed_count: 7,
          stopped: null,
        },
      },
    },
    input: ListSeals,
    output: AuditSealList,
    handler: async ({ ctx, input: { limit, cursor } }) => {
      assertCursor(cursor === undefined || isSealNumber(cursor));
      const { caller, app } = ctx;
      const listed = await listStoredSeals(app.store, {
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
  });

function toStop(stopped: ReturnType<SealingStatus['stopped']>): SealingStop | null {
  if (stopped === null) return null;
  const common = { cause: stopped.cause, since: stopped.since.toISOString() };
  if (stopped.cause === 'blocked')
    return { ...common, of: null, number: null, fault: null, holders: [...stopped.holders] };
  const { of, fault } = stopped.cause === 'differs' ? stopped : { of: 'seal' as const, fault: 'forged' };
  return { ...common, of, number: stopped.number, fault, holders: [] };
}
