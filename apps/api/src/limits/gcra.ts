import type { BudgetGrant, BudgetRequest } from '@insurance-verification/store';

/** An ask of a budget, without its policy and subject. */
export type Ask = Omit<BudgetRequest, 'policy' | 'subject' | 'isAddress'>;

/** Milliseconds until one unit comes back. */
export function unitMsOf({ quota, windowSeconds }: Pick<Ask, 'quota' | 'windowSeconds'>): number {
  return (windowSeconds * 1000) / quota;
}

/**
 * GCRA in memory, for a process that decides alone; the shared budget's statement computes the same.
 * @param tatMs the theoretical arrival time: when the whole quota is available again.
 */
export function takeUnits(tatMs: number, nowMs: number, ask: Ask): BudgetGrant {
  const unitMs = unitMsOf(ask);
  const windowMs = ask.windowSeconds * 1000;
  const baseMs = Math.max(Math.min(tatMs, nowMs + 2 * windowMs) + ask.owed * unitMs, nowMs);
  // The thousandth keeps a rounding error from losing the last unit.
  const room = Math.floor((nowMs + windowMs - baseMs) / unitMs + 0.001);
  const granted = room >= ask.need ? Math.min(room, ask.want) : 0;
  return { granted, backlogMs: baseMs + granted * unitMs - nowMs };
}
