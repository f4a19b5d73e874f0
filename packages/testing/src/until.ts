import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds before a condition counts as failed; long, because machines stall, but below a suite's 30 s. */
const PATIENCE_MS = 29_000;

/**
 * Polls for the first value that is neither null, undefined nor false. The pause spares the processor: two hundred looks
 * a second, each a call of the service, would slow down what they wait for. It grows with the wait, to 40 ms.
 * @throws when none came within `withinMs`
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs: number = PATIENCE_MS,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(`Waited ${withinMs} ms in vain until ${what}.`);
    await pause(Math.min(5 + waitedMs / 20, 40));
  }
}
