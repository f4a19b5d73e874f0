import type { Myself, StaffLink, ValidationError } from '@insurance-verification/schema';
import {
  addStaff,
  createSignInLink,
  endStaff,
  getSettings,
  listStaff,
  type LiveKey,
  setSettings,
  setStaffRoles,
} from '@insurance-verification/store';
import { NO_SUCCESSOR } from '../access/keys.ts';
import { readNetworks } from '../network/client-address.ts';
import type { Context } from '../procedure/context/app.ts';
import { readCursor } from '../procedure/cursor.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/** The people who sign in to the console. */
export const staff: Handlers<'staff'> = {
  add: async ({ ctx, input }) => {
    const { name, roles, account_id: accountId, allowed_cidrs: allowedCidrs } = input;
    await countLink(ctx); // first: if it refused after the insert, a retry would add the person again
    const bounds = { allowedCidrs, verifyWithin: input.verify_within };
    const person = { caller: ctx.caller, name, roles, accountId, ...bounds };
    const added = await addStaff(ctx.app.store, person);
    if (added.kind !== 'added') throw new ValidationFailedError([FAULTS[added.kind]]);
    const { member } = added;
    return { ...member, link: await makeLink(ctx, member.staff_id) };
  },

  list: async ({ ctx, input: { limit, cursor } }) => {
    const page = { limit, cursor: readCursor('stf', cursor) };
    return listStaff(ctx.app.store, { caller: ctx.caller, ...page });
  },

  setRoles: async ({ ctx, input }) => {
    const { staff_id: staffId, roles, allowed_cidrs: allowedCidrs, verify_within: verifyWithin } = input;
    const { address } = ctx.call;
    const isOwn = staffId === ctx.caller.keyId;
    if (isOwn && allowedCidrs && !(address !== null && readNetworks(allowedCidrs).includes(address)))
      throw new ProblemError('locks_caller_out');
    const roleSetting = { caller: ctx.caller, staffId, roles, allowedCidrs, verifyWithin };
    const set = await setStaffRoles(ctx.app.store, roleSetting);
    if (set.kind === 'set') return set.member;
    if (set.kind === 'role_needs_platform') throw new ValidationFailedError([ROLE_NEEDS_PLATFORM]);
    if (set.kind === 'networks_need_platform') throw new ValidationFailedError([NETWORKS_NEED_PLATFORM]);
    return refuse(set);
  },

  link: async ({ ctx, input: { staff_id } }) => {
    await countLink(ctx);
    return { staff_id, link: await makeLink(ctx, staff_id) };
  },

  end: async ({ ctx, input: { staff_id: staffId, successor: successorId } }) => {
    const ended = await endStaff(ctx.app.store, { caller: ctx.caller, staffId, successorId });
    if (ended.kind === 'no_successor') throw new ValidationFailedError([NO_SUCCESSOR]);
    if (ended.kind !== 'ended') return refuse(ended);
    return ended.member;
  },
};

const ROLE_NEEDS_PLATFORM: ValidationError = {
  loc: ['body', 'roles'],
  msg: 'People of an account may have the roles viewer and requester only',
  type: 'value_error',
};

const NETWORKS_NEED_PLATFORM: ValidationError = {
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

/** The settings of the person who calls. */
export const settings: Handlers<'settings'> = {
  get: async ({ ctx: { app, caller } }) => getSettings(app.store, caller),

  set: async ({ ctx: { app, caller }, input }) => setSettings(app.store, { caller, changes: input }),
};

/** A caller as it sees itself. */
export function toMyself({ keyId, scopes, readScopes = [], accountId, mode, session }: LiveKey): Myself {
  return {
    id: keyId,
    name: session?.name ?? null,
    roles: [...(session?.roles ?? [])],
    scopes: [...scopes],
    read_scopes: [...readScopes],
    account_id: accountId,
    session: session
      ? {
          session_id: session.sessionId,
          account_name: session.accountName,
          account_mode: mode,
          may_switch: session.maySwitch,
          idle_ends_at: session.idleEndsAt.toISOString(),
          ends_at: session.endsAt.toISOString(),
          emergency_until: session.emergencyUntil?.toISOString() ?? null,
          fresh_until: session.freshUntil?.toISOString() ?? null,
        }
      : null,
  };
}

/** Counts a link before anything is made. @throws {ProblemError} `rate_limited` */
async function countLink({ app, call }: Context): Promise<void> {
  if (app.config.hasConsole) await app.limiter.countSignInLink(call);
}

/**
 * A new one-time link for a person; null without a console to sign in to.
 * @throws {ProblemError} `not_found` for a person out of the caller's reach, or without access any more.
 */
async function makeLink(
  { app, caller }: Context & { readonly caller: LiveKey },
  staffId: string,
): Promise<StaffLink['link']> {
  if (!app.config.hasConsole) return null;
  const created = await createSignInLink(app.store, {
    caller,
    staffId,
    way: app.config.signInWay,
  });
  if (created.kind !== 'created') return refuse(created);
  const { publicUrl } = app.config;
  const path = `/console/sign-in#${created.token}`;
  return {
    path,
    url: publicUrl ? new URL(path, publicUrl).href : null,
    expires_at: created.expiresAt.toISOString(),
  };
}
