import { StaffMember, StaffRef } from '@insurance-verification/schema';
import { endStaff as endStoredStaff } from '@insurance-verification/store';
import { exampleStaff } from '../examples/staff.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';

/** Ends a person's access, in every session at once. Idempotent. */
export const endStaff = () =>
  mutation({
    meta: {
      operation: 'staff.end',
      openapi: {
        summary: 'End a person’s access',
        description:
          'Ends what a person may do for good, with each of their sessions and unused links, in every process at once. Leases that they hold end by themselves. The audit continues to name them. You cannot end your own access.',
        tags: ['Access'],
      },
      changes: ['access', 'session'],
      problems: ['not_found', 'locks_caller_out'],
      answers: { ended: { ...exampleStaff, ended_at: '2026-11-20T12:00:00.000Z' } },
    },
    input: StaffRef,
    output: StaffMember,
    handler: async ({ ctx, input: { staff_id: staffId } }) => {
      const ended = await endStoredStaff(ctx.app.store, { caller: ctx.caller, staffId });
      if (ended.kind !== 'ended') return refuse(ended);
      return ended.member;
    },
  });
