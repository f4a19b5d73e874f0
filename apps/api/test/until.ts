import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a condition is taken for one that never holds; long, because machines stall. */
const PATIENCE_MS = 25_000;

/** The first value that is neither null, undefined nor false. The pause only spares the processor. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`Waited in vain until ${what}.`);
    await nextTurn();
    await pause(5);
  }
}
