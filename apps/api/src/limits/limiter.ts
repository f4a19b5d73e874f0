import { createHash } from 'node:crypto';
import type { LimitPolicy } from '@insurance-verification/schema';
import { DEFAULT_ACCOUNT_ID, type LiveKey, type Quota } from '@insurance-verification/store';
import type { Config } from '../config/config.ts';
import type { Limiter } from '../procedure/context/app.ts';
import type { Call } from '../procedure/context/call.ts';
import { ProblemError } from '../procedure/problem.ts';
import type { Policy, Verdict } from './budget.ts';
import type { Budgets } from './budgets.ts';

/** Policies, and what they count by: an account, a key, or a client's address. `sign-in` counts right ones by link or person. */
const POLICIES = {
  intake: { by: 'account', quota: 60_000, windowSeconds: 60 },
  reads: { by: 'account', quota: 60_000, windowSeconds: 60 },
  'redeliver-exhausted': { by: 'account', quota: 6, windowSeconds: 60 },
  'secret-reveal': { by: 'key', quota: 10, windowSeconds: 3600 },
  'wrong-keys': { by: 'address', quota: 60, windowSeconds: 60 },
  'anonymous-output': { by: 'address', quota: 60, windowSeconds: 60 },
  'sign-in': { by: 'address', quota: 10, windowSeconds: 60 },
  'sign-in-links': { by: 'address', quota: 10, windowSeconds: 60 },
} as const satisfies Record<string, Omit<Policy, 'name'>>;

/** A policy's name in answers. */
type PolicyName = keyof typeof POLICIES;

interface NamedPolicy extends Policy {
  readonly name: PolicyName;
  /** The `RateLimit-Policy` field, built once. */
  readonly field: string;
}

/** A policy with its default quota or a given one. */
export function policyOf(name: PolicyName, quota: Quota = POLICIES[name]): NamedPolicy {
  return {
    name,
    by: POLICIES[name].by,
    quota: quota.quota,
    windowSeconds: quota.windowSeconds,
    field: `"${name}";q=${quota.quota};w=${quota.windowSeconds}`,
  };
}

/** Files of rows that may be sent with one key at once, to one process. */
const UPLOADS_MAX = 8;

/** Seconds after which a refused file is worth another try. */
const UPLOAD_RETRY_SECONDS = 10;

type Limits = Pick<Config, 'outputTrust' | 'anonymousOutputLimit' | 'anonymousBodyBytes'>;

export function createLimiter(config: Limits, budgets: Budgets): Limiter {
  const wrongKeys = policyOf('wrong-keys');
  const signIn = policyOf('sign-in');
  const signInLinks = policyOf('sign-in-links');
  const anonymous = {
    'anonymous-output': policyOf('anonymous-output', {
      quota: config.anonymousOutputLimit,
      windowSeconds: 60,
    }),
  };
  const uploads = new Map<string, number>();
  const policies = new WeakMap<LiveKey, Map<LimitPolicy, NamedPolicy | null>>();

  const policyFor = (name: LimitPolicy, key: LiveKey): NamedPolicy | null => {
    let ofKey = policies.get(key);
    if (!ofKey) policies.set(key, (ofKey = new Map()));
    let policy = ofKey.get(name);
    if (policy === undefined) ofKey.set(name, (policy = makePolicy(name, key)));
    return policy;
  };

  const take = async (policy: NamedPolicy, subject: string, call: Call): Promise<void> =>
    conclude(policy, await budgets.take(policy, subject), call);

  return {
    admit: async (operation, call, caller) => {
      if (caller && operation.limit) {
        const policy = policyFor(operation.limit, caller);
        if (!policy) return;
        await take(policy, subjectOf(policy, caller), call);
        // Its rows are paid for one by one: with its own unit, small files would use up what is left to single creates.
        if (operation.takesRows) budgets.charge(policy, subjectOf(policy, caller), -1);
        return;
      }
      if (!operation.anonymous || config.outputTrust === 'open') return;
      if (caller?.scopes.includes(operation.anonymous.unlessScope)) return;
      call.anonymousBytesMax = config.anonymousBodyBytes;
      await take(anonymous[operation.anonymous.limit], call.client, call);
    },
    settle: (operation, caller, answer) => {
      if (operation.limit !== 'reads' || !caller) return;
      const policy = policyFor(operation.limit, caller);
      const rowCount = rowCountOf(answer);
      if (policy && rowCount > 1) budgets.charge(policy, subjectOf(policy, caller), rowCount - 1);
    },
    takeRows: async (caller, rowCount) => {
      const policy = policyFor('intake', caller);
      if (!policy) return { takenCount: rowCount, waitMs: 0 };
      const reserve = Math.min(Math.ceil(policy.quota / 10), policy.quota - 1);
      const units = Math.min(rowCount, policy.quota - reserve);
      const waitMs = await budgets.takeLeaving(policy, subjectOf(policy, caller), { units, reserve });
      return { takenCount: waitMs === 0 ? units : 0, waitMs };
    },
    beginUpload: ({ keyId }) => {
      const count = uploads.get(keyId) ?? 0;
      if (count >= UPLOADS_MAX)
        throw new ProblemError('rate_limited', {
          detail: `${UPLOADS_MAX} files are being sent with this key; send the next when one has ended.`,
          headers: { 'retry-after': String(UPLOAD_RETRY_SECONDS), connection: 'close' },
        });
      uploads.set(keyId, count + 1);
      return () => {
        const left = (uploads.get(keyId) ?? 1) - 1;
        if (left > 0) uploads.set(keyId, left);
        else uploads.delete(keyId);
      };
    },
    // A digest: budgets are shared in a table, and a token lets its reader in.
    countSignIn: (subject, call) =>
      take(signIn, createHash('sha256').update(subject).digest('base64url'), call),
    countRefusedSignIn: (call) => take(signIn, call.client, call),
    countSignInLink: (call) => take(signInLinks, call.client, call),
    countWrongKey: async (call) => {
      const verdict = await budgets.take(wrongKeys, call.client);
      if (!verdict.allowed) conclude(wrongKeys, verdict, call);
    },
  };
}

/**
 * The quota set for the account, else the default. The account `default`, of a first try, has no default quotas, but
 * for people who reveal secrets: a person who signs in there acts for it.
 */
function makePolicy(name: LimitPolicy, key: LiveKey): NamedPolicy | null {
  const own = key.quotas[name];
  if (own) return policyOf(name, own);
  const isFirstTry = key.accountId === DEFAULT_ACCOUNT_ID && !(name === 'secret-reveal' && key.session);
  return isFirstTry ? null : policyOf(name);
}

function subjectOf({ by }: Policy, key: LiveKey): string {
  return by === 'key' ? key.keyId : key.accountId;
}

/** Sets the caller's rate-limit fields. @throws {ProblemError} `rate_limited` */
function conclude(policy: NamedPolicy, verdict: Verdict, call: Call): void {
  setRateLimitFields(call, policy, verdict);
  if (verdict.allowed) return;
  throw new ProblemError('rate_limited', {
    headers: { 'retry-after': String(verdict.seconds) },
    violatedPolicies: [policy.name],
  });
}

/**
 * Sets the fields of draft-ietf-httpapi-ratelimit-headers-11. `t` is when the next unit comes back, not when all have:
 * GCRA returns units one by one. The calls of a batch may meet several policies, in any order; the list has each once,
 * with its latest values, sorted by name.
 */
function setRateLimitFields(call: Call, policy: NamedPolicy, verdict: Verdict): void {
  const limit = `"${policy.name}";r=${verdict.remaining};t=${verdict.seconds}`;
  const met = call.limits;
  if (met === null) call.limits = new Map([[policy.name, { policy: policy.field, limit }]]);
  else met.set(policy.name, { policy: policy.field, limit });
  if (met === null || met.size === 1) {
    call.setHeader('ratelimit-policy', policy.field);
    call.setHeader('ratelimit', limit);
    return;
  }
  const all = [...met].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, fields]) => fields);
  call.setHeader('ratelimit-policy', all.map((each) => each.policy).join(', '));
  call.setHeader('ratelimit', all.map((each) => each.limit).join(', '));
}

/** The rows of a list, and of the coverages of an answer with benefits, which has up to 2,000; 1 for anything else. */
function rowCountOf(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 1;
  if ('items' in answer && Array.isArray(answer.items)) return answer.items.length;
  const { coverages, benefits } = answer as Record<'coverages' | 'benefits', unknown>;
  const parts = [coverages, benefits].flat().filter((part) => typeof part === 'object' && part !== null);
  return parts.length === 0 ? 1 : parts.reduce<number>((count, part) => count + rowCountOf(part), 0);
}
