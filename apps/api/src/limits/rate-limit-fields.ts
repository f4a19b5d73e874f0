import type { Call } from '../procedure/context/call/call.ts';
import type { Verdict } from './budget.ts';
import type { Policy } from './policies.ts';

/**
 * Sets the fields of draft-ietf-httpapi-ratelimit-headers-11. `t` is when the next unit comes back, not when all have:
 * GCRA returns units one by one. The calls of a batch may meet several policies, in any order; the list has each once,
 * with its latest values, sorted by name.
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
