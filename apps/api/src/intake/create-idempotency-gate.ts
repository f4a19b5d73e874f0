import { LRUCache } from 'lru-cache';
import type { IdempotencyGate } from '../procedure/context/app.ts';
import { ProblemError } from '../procedure/problem/problem.ts';

/** Keys remembered as settled: their first call is over. A forgotten key may get a needless 409, no more. */
const SETTLED_COUNT_MAX = 50_000;

export function createIdempotencyGate(): IdempotencyGate {
  const running = new Set<string>();
  // Retries of a finished call only read, so any number may pass at once; otherwise they would refuse each other.
  const settled = new LRUCache<string, true>({ max: SETTLED_COUNT_MAX });
  const passOnce = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (settled.has(name)) return work();
    if (running.has(name)) throw new ProblemError('idempotency_in_progress');
    running.add(name);
    try {
      const answer = await work();
      settled.set(name, true);
      return answer;
    } finally {
      running.delete(name);
    }
  };
  return {
    pass: ({ accountId }, key, work) => (key === null ? work() : passOnce(`${accountId} ${key}`, work)),
  };
}
