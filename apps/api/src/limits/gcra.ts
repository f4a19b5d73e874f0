import type { BudgetGrant, BudgetRequest } from '@insurance-verification/store';

/** What is asked of a budget, without saying whose it is. */
export type Ask = Omit<BudgetRequest, 'policy' | 'subject' | 'isAddress'>;

/** Milliseconds in which one unit comes back. */
export function unitMsOf({ quota, windowSeconds }: Pick<Ask, 'quota' | 'windowSeconds'>): number {
  return (windowSeconds * 1000) / quota;
}

/**
 * GCRA in memory, for a process that decides alone; the shared budget's statement computes the same.
 * @param tatMs the theoretical arrival time: when the whole quota is there again.
 */
export function takeUnits(tatMs: number, nowMs: number, ask: Ask): BudgetGrant {
  const unitMs = unitMsOf(ask);
  const windowMs = ask.windowSeconds * 1000;
  const baseMs = Math.max(Math.min(tatMs, nowMs + 2 * windowMs) + ask.owed * unitMs, nowMs);
  // The thousandth keeps the last unit from being lost to a division.
  const room = Math.floor((nowMs + windowMs - baseMs) / unitMs + 0.001);
  const granted = room >= ask.need ? Math.min(room, ask.want) : 0;
  return { granted, backlogMs: baseMs + granted * unitMs - nowMs };
}
