import type {
  AccountLimits,
  LimitPolicy,
  PolicyLimit,
  SetAccountLimits,
} from '@insurance-verification/schema';
import {
  confirmAccountRetention,
  createAccount,
  DEFAULT_ACCOUNT_ID,
  getAccountLimits,
  getAccountRetention,
  getWebhookSecret,
  listAccounts,
  type Quota,
  resumeAccount,
  rotateWebhookSecret,
  setAccountLimits,
  setAccountRetention,
  type StoredLimits,
  suspendAccount,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import { policyOf } from '../limits/limiter.ts';
import { readNetworks } from '../network/client-address.ts';
import { readCursor } from '../procedure/cursor.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/** Accounts, with their limits and their retention. */
export const accounts: Handlers<'accounts'> = {
  create: async ({ ctx, input }) => {
    const account = { caller: ctx.caller, ...input, webhookSecret: createWebhookSecret() };
    const created = await createAccount(ctx.app.store, account);
    if (created.kind === 'created') return created.account;
    throw new ValidationFailedError([
      {
        loc: ['body', 'mode'],
        msg: 'A key of a test account makes test accounts only',
        type: 'value_error',
      },
    ]);
  },

  list: async ({ ctx, input: { limit, cursor } }) => {
    const page = { limit, cursor: readCursor('acct', cursor) };
    return listAccounts(ctx.app.store, { caller: ctx.caller, ...page });
  },

  limits: async ({ ctx, input }) => {
    const found = await getAccountLimits(ctx.app.store, { caller: ctx.caller, accountId: input.account_id });
    return found.kind === 'found' ? toAccountLimits(found.limits) : refuse(found);
  },

  setLimits: async ({
    ctx,
    input: { account_id: accountId, policies = {}, allowed_cidrs: allowedCidrs },
  }) => {
    const { address } = ctx.call;
    const isOwn = accountId === ctx.caller.accountId;
    if (isOwn && allowedCidrs && !(address !== null && readNetworks(allowedCidrs).includes(address)))
      throw new ProblemError('locks_caller_out');
    const set = await setAccountLimits(ctx.app.store, {
      caller: ctx.caller,
      accountId,
      quotas: toQuotas(policies),
      allowedCidrs,
    });
    if (set.kind !== 'found') return refuse(set);
    ctx.app.authenticator.forget();
    return toAccountLimits(set.limits);
  },

  retention: async ({ ctx, input: { account_id: accountId, days } }) => {
    const found = await getAccountRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
    return found.kind === 'found' ? found.retention : refuse(found);
  },

  setRetention: async ({ ctx, input: { account_id: accountId, retention_days: days } }) => {
    const set = await setAccountRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
    return set.kind === 'found' ? set.retention : refuse(set);
  },

  confirmRetention: async ({ ctx, input: { account_id: accountId, retention_days: days } }) => {
    const confirmed = await confirmAccountRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
    if (confirmed.kind === 'not_asked')
      throw new ValidationFailedError([
        {
          loc: ['body', 'retention_days'],
          msg: 'Value should be the days that are asked for; others were, or these lapsed or were taken back',
          type: 'value_error',
        },
      ]);
    return confirmed.kind === 'found' ? confirmed.retention : refuse(confirmed);
  },

  suspend: async ({ ctx, input }) => {
    const act = { caller: ctx.caller, accountId: input.account_id };
    const suspended = await suspendAccount(ctx.app.store, act);
    if (suspended.kind !== 'changed') return refuse(suspended);
    ctx.app.authenticator.forget();
    return suspended.account;
  },

  resume: async ({ ctx, input }) => {
    const act = { caller: ctx.caller, accountId: input.account_id };
    const resumed = await resumeAccount(ctx.app.store, act);
    if (resumed.kind !== 'changed') return refuse(resumed);
    ctx.app.authenticator.forget();
    return resumed.account;
  },
};

/** The quotas of the named policies; null resets one. */
function toQuotas(policies: NonNullable<SetAccountLimits['policies']>): Record<string, Quota | null> {
  const quotas: Record<string, Quota | null> = {};
  for (const [policy, given] of Object.entries(policies))
    if (given !== undefined)
      quotas[policy] = given && { quota: given.quota, windowSeconds: given.window_seconds };
  return quotas;
}

/** The limits in force for an account, as operators see them. */
function toAccountLimits({ accountId, quotas, allowedCidrs }: StoredLimits): AccountLimits {
  const limitOf = (name: LimitPolicy): PolicyLimit => {
    const own = quotas[name];
    if (own) return { quota: own.quota, window_seconds: own.windowSeconds, overridden: true };
    if (accountId === DEFAULT_ACCOUNT_ID) return { quota: null, window_seconds: null, overridden: false };
    const { quota, windowSeconds } = policyOf(name);
    return { quota, window_seconds: windowSeconds, overridden: false };
  };
  return {
    account_id: accountId,
    policies: {
      intake: limitOf('intake'),
      reads: limitOf('reads'),
      'redeliver-exhausted': limitOf('redeliver-exhausted'),
      'secret-reveal': limitOf('secret-reveal'),
    },
    allowed_cidrs: allowedCidrs && [...allowedCidrs],
  };
}

/** The secret that signs an account's webhooks. */
export const webhookSecret: Handlers<'webhookSecret'> = {
  get: ({ ctx }) => getWebhookSecret(ctx.app.store, { caller: ctx.caller }),

  rotate: async ({ ctx }) => {
    const rotation = { caller: ctx.caller, next: createWebhookSecret() };
    const rotated = await rotateWebhookSecret(ctx.app.store, rotation);
    return rotated.kind === 'rotated' ? rotated.secret : refuse(rotated);
  },
};
