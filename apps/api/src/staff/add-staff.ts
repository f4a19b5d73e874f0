import { AddedStaff, AddStaff, type ValidationError } from '@insurance-verification/schema';
import { addStaff as addStoredStaff } from '@insurance-verification/store';
import { exampleLink, exampleStaff } from '../examples/staff.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { mutation } from '../procedure/trpc.ts';
import { countLink, makeLink } from './make-link.ts';

/** Adds a person, and creates their first sign-in link. */
export const addStaff = () =>
  mutation({
    meta: {
      operation: 'staff.add',
      openapi: {
        summary: 'Add a person',
        description:
          'Adds a person who signs in to the console, and makes a link for the first time: it works once, within 30 minutes, or as an invitation to the identity provider within a week. People of an account read its requests (`viewer`) and make them (`requester`); every other role acts across accounts, and is of the platform.',
        tags: ['Access'],
      },
      changes: ['access'],
      example: { name: exampleStaff.name, roles: exampleStaff.roles, account_id: null },
      answers: { added: { ...exampleStaff, link: exampleLink } },
    },
    input: AddStaff,
    output: AddedStaff,
    handler: async ({ ctx, input }) => {
      const { name, roles, account_id: accountId, allowed_cidrs: allowedCidrs } = input;
      await countLink(ctx); // first: if it refused after the insert, a retry would add the person again
      const bounds = { allowedCidrs, verifyWithin: input.verify_within };
      const staff = { caller: ctx.caller, name, roles, accountId, ...bounds };
      const added = await addStoredStaff(ctx.app.store, staff);
      if (added.kind !== 'added') throw new ValidationFailedError([FAULTS[added.kind]]);
      const { member } = added;
      return { ...member, link: await makeLink(ctx, member.staff_id) };
    },
  });

export const ROLE_NEEDS_PLATFORM: ValidationError = {
  loc: ['body', 'roles'],
  msg: 'People of an account may have the roles viewer and requester only',
  type: 'value_error',
};

export const NETWORKS_NEED_PLATFORM: ValidationError = {
  loc: ['body', 'allowed_cidrs'],
  msg: 'People of an account work from the networks of that account',
  type: 'value_error',
};

/** Faults that only the database can know. */
const FAULTS = {
  account_not_found: {
    loc: ['body', 'account_id'],
    msg: 'There is no account with this id',
    type: 'account_not_found',
  },
  role_needs_platform: ROLE_NEEDS_PLATFORM,
  networks_need_platform: NETWORKS_NEED_PLATFORM,
} satisfies Record<string, ValidationError>;
