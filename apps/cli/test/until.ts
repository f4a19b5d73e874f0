import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a condition is taken for one that never holds; long, because machines stall. */
const PATIENCE_MS = 25_000;

/** The first value that is neither undefined nor false. The pause only spares the processor. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`Waited in vain until ${what}.`);
    await pause(10);
  }
}
