import { setTimeout as pause } from 'node:timers/promises';

/** The first value that is neither null, undefined nor false. @throws when none came in time */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() - startedAt > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(5);
  }
}
