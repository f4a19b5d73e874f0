import type { Call } from '../procedure/context/call.ts';
import type { Verdict } from './budget.ts';
import type { Policy } from './policies.ts';

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11. `t` is when more comes back, not when all has: GCRA gives
 * units back one by one. A batch of calls may meet several policies, in any order; each is in the list once, as it
 * stood last, and the list is sorted by name.
 */
export function setRateLimitFields(call: Call, policy: Policy, verdict: Verdict): void {
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
