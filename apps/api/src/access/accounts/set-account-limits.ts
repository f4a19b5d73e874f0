import { AccountLimits, AccountRef, SetAccountLimits } from '@insurance-verification/schema';
import { type Quota, setAccountLimits as setStoredLimits } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleLimits } from '../../examples/access.ts';
import { readNetworks } from '../../network/networks.ts';
import { ProblemError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';
import { toAccountLimits } from './to-account-limits.ts';

/** Sets an account's limits and networks. Callers cannot lock themselves out. */
export const setAccountLimits = () =>
  mutation({
    meta: {
      operation: 'accounts.setLimits',
      openapi: {
        summary: "Set an account's limits",
        description:
          'Sets quotas of an account, and the networks that its keys work from. What the body does not name stays as it is; null brings the default back. Networks that would lock the asking key out are refused.',
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found', 'locks_caller_out'],
      body: SetAccountLimits,
      example: {
        policies: { intake: { quota: 120_000, window_seconds: 60 } },
        allowed_cidrs: ['203.0.113.0/24'],
      },
      answers: { set: exampleLimits },
    },
    input: z.object({ ...AccountRef.shape, ...SetAccountLimits.shape }),
    output: AccountLimits,
    handler: async ({
      ctx,
      input: { account_id: accountId, policies = {}, allowed_cidrs: allowedCidrs },
    }) => {
      const { address } = ctx.call;
      const isOwn = accountId === ctx.caller.accountId;
      if (isOwn && allowedCidrs && !(address !== null && readNetworks(allowedCidrs).includes(address)))
        throw new ProblemError('locks_caller_out');
      const set = await setStoredLimits(ctx.app.store, {
        caller: ctx.caller,
        accountId,
        quotas: toQuotas(policies),
        allowedCidrs,
      });
      if (set.kind !== 'found') return refuse(set);
      ctx.app.authenticator.forget();
      return toAccountLimits(set.limits);
    },
  });

/** The quotas of the named policies; null resets one. */
function toQuotas(policies: NonNullable<SetAccountLimits['policies']>): Record<string, Quota | null> {
  const quotas: Record<string, Quota | null> = {};
  for (const [policy, given] of Object.entries(policies))
    if (given !== undefined)
      quotas[policy] = given && { quota: given.quota, windowSeconds: given.window_seconds };
  return quotas;
}
