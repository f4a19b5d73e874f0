import type { LimitPolicy } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID, type LiveKey } from '@insurance-verification/store';
import type { Config } from '../config/config.ts';
import type { Limiter } from '../procedure/context/app.ts';
import type { Call } from '../procedure/context/call/call.ts';
import { ProblemError } from '../procedure/problem/problem.ts';
import type { Verdict } from './budget.ts';
import type { Budgets } from './create-budgets.ts';
import { type Policy, policyOf } from './policies.ts';
import { setRateLimitFields } from './rate-limit-fields.ts';

type Limits = Pick<Config, 'outputTrust' | 'anonymousOutputLimit' | 'anonymousBodyBytes'>;

export function createLimiter(config: Limits, budgets: Budgets): Limiter {
  const wrongKeys = policyOf('wrong-keys');
  const signIns = { 'sign-in': policyOf('sign-in'), 'sign-in-links': policyOf('sign-in-links') };
  const strangers = {
    'anonymous-output': policyOf('anonymous-output', {
      quota: config.anonymousOutputLimit,
      windowSeconds: 60,
    }),
  };
  const policies = new WeakMap<LiveKey, Map<LimitPolicy, Policy | null>>();

  const policyFor = (name: LimitPolicy, key: LiveKey): Policy | null => {
    let ofKey = policies.get(key);
    if (!ofKey) policies.set(key, (ofKey = new Map()));
    let policy = ofKey.get(name);
    if (policy === undefined) ofKey.set(name, (policy = makePolicy(name, key)));
    return policy;
  };

  const take = (policy: Policy, subject: string, call: Call): Promise<void> | undefined => {
    const verdict = budgets.take(policy, subject);
    if (verdict instanceof Promise) return verdict.then((late) => conclude(policy, late, call));
    conclude(policy, verdict, call);
    return undefined;
  };

  return {
    admit: (meta, call, caller) => {
      if (caller && meta.limit) {
        const policy = policyFor(meta.limit, caller);
        return policy ? take(policy, subjectOf(policy, caller), call) : undefined;
      }
      if (!meta.strangers || config.outputTrust === 'open') return undefined;
      if (caller?.scopes.includes(meta.strangers.unlessScope)) return undefined;
      call.strangerBytesMax = config.anonymousBodyBytes;
      return take(strangers[meta.strangers.limit], call.client, call);
    },
    settle: (meta, caller, answer) => {
      if (meta.limit !== 'reads' || !caller) return;
      const policy = policyFor(meta.limit, caller);
      const rowCount = rowCountOf(answer);
      if (policy && rowCount > 1) budgets.charge(policy, subjectOf(policy, caller), rowCount - 1);
    },
    countSignIn: async (name, call) => {
      const policy = signIns[name];
      conclude(policy, await budgets.take(policy, call.client), call);
    },
    countWrongKey: async (call) => {
      const verdict = await budgets.take(wrongKeys, call.client);
      if (!verdict.allowed) conclude(wrongKeys, verdict, call);
    },
  };
}

/**
 * The quota set for the account, else the default. The account `default`, of a first try, has no default quotas, but
 * for people who reveal secrets: whoever signs in there acts for it.
 */
function makePolicy(name: LimitPolicy, key: LiveKey): Policy | null {
  const own = key.quotas[name];
  if (own) return policyOf(name, own);
  const isFirstTry = key.accountId === DEFAULT_ACCOUNT_ID && !(name === 'secret-reveal' && key.session);
  return isFirstTry ? null : policyOf(name);
}

function subjectOf({ by }: Policy, key: LiveKey): string {
  return by === 'key' ? key.keyId : key.accountId;
}

/** Sets the caller's rate-limit fields. @throws {ProblemError} `rate_limited` */
function conclude(policy: Policy, verdict: Verdict, call: Call): void {
  setRateLimitFields(call, policy, verdict);
  if (verdict.allowed) return;
  throw new ProblemError('rate_limited', {
    headers: { 'retry-after': String(verdict.seconds) },
    violatedPolicies: [policy.name],
  });
}

/** The rows of a list; 1 for anything else. */
function rowCountOf(answer: unknown): number {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
    ? answer.items.length
    : 1;
}
