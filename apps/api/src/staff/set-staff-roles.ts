import { SetStaffRoles, StaffMember, StaffRef } from '@insurance-verification/schema';
import { setStaffRoles as setStoredRoles } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleStaff } from '../examples/staff.ts';
import { readNetworks } from '../network/networks.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem/problem.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';
import { NETWORKS_NEED_PLATFORM, ROLE_NEEDS_PLATFORM } from './add-staff.ts';

/** Replaces a person's roles, from their next call on. */
export const setStaffRoles = () =>
  mutation({
    meta: {
      operation: 'staff.setRoles',
      openapi: {
        summary: "Set a person's roles",
        description:
          'Gives a person these roles instead of those they have, and other bounds where the body names some: networks, and what a verifier is kept to. They hold from the next call on, in every session. Nobody takes `admin` from themselves, and nobody gives themselves a role, or takes a bound from one, where there is another administrator to do it.',
        tags: ['Access'],
      },
      changes: ['access', 'session'],
      problems: ['not_found', 'locks_caller_out', 'another_admin_required'],
      body: SetStaffRoles,
      example: { roles: ['verifier', 'operator'] },
      answers: { set: { ...exampleStaff, roles: ['verifier', 'operator'] } },
    },
    input: z.object({ ...StaffRef.shape, ...SetStaffRoles.shape }),
    output: StaffMember,
    handler: async ({ ctx, input }) => {
      const { staff_id: staffId, roles, allowed_cidrs: allowedCidrs, verify_within: verifyWithin } = input;
      const { address } = ctx.call;
      const isOwn = staffId === ctx.caller.keyId;
      if (isOwn && allowedCidrs && !(address !== null && readNetworks(allowedCidrs).includes(address)))
        throw new ProblemError('locks_caller_out');
      const roleSetting = { caller: ctx.caller, staffId, roles, allowedCidrs, verifyWithin };
      const set = await setStoredRoles(ctx.app.store, roleSetting);
      if (set.kind === 'set') return set.member;
      if (set.kind === 'role_needs_platform') throw new ValidationFailedError([ROLE_NEEDS_PLATFORM]);
      if (set.kind === 'networks_need_platform') throw new ValidationFailedError([NETWORKS_NEED_PLATFORM]);
      return refuse(set);
    },
  });
