import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@insurance-verification/store';
import type { Log } from '../telemetry/log.ts';

/** One piece of work that is under way. */
interface UnderWay<Item> {
  readonly item: Item;
  /** Aborts it: its lease is lost, or the process stops. */
  readonly abort: AbortController;
  /** Never rejects. */
  readonly done: Promise<unknown>;
}

/** A worker's work under way, each piece with its own abort. */
export class InFlight<Item> {
  readonly #works = new Map<string, UnderWay<Item>>();

  get size(): number {
    return this.#works.size;
  }

  get(key: string): UnderWay<Item> | undefined {
    return this.#works.get(key);
  }

  items(): Item[] {
    return [...this.#works.values()].map(({ item }) => item);
  }

  /** Begins `run`, which must not reject. It counts as under way until it ends. */
  begin(key: string, item: Item, run: (abort: AbortController) => Promise<void>): void {
    const abort = new AbortController();
    // In the next microtask, so that it is registered before `run` begins, even if `run` ends at once.
    const done = Promise.resolve()
      .then(() => run(abort))
      .finally(() => this.#works.delete(key));
    this.#works.set(key, { item, abort, done });
  }

  /** Lets what is under way end within the deadline, and aborts the rest. @returns what was aborted. */
  async drain(deadlineMs: number): Promise<Item[]> {
    const allDone = () => Promise.all([...this.#works.values()].map(({ done }) => done));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([allDone(), new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs)))]);
    clearTimeout(timer);
    const unfinished = [...this.#works.values()];
    for (const { abort } of unfinished) abort.abort();
    await allDone();
    return unfinished.map(({ item }) => item);
  }
}

/** Milliseconds between attempts to write while the database is away. */
export const WRITE_RETRY_MS = 500;

/**
 * Writes the other side's answer, retrying while the database is away: losing an answer to a short outage would send a
 * receiver a duplicate, and make a payer charge twice.
 * @throws {AbortError} when `signal` aborts between two attempts.
 */
export async function untilWritten<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      await sleep(WRITE_RETRY_MS, undefined, { signal });
    }
  }
}

/** Releases leases. A stop must not fail because the database is away: unreleased leases lapse and are due again. */
export async function releaseOrLapse(log: Pick<Log, 'warn'>, release: () => Promise<unknown>): Promise<void> {
  try {
    await release();
  } catch (err) {
    log.warn({ err }, 'release failed; the leases lapse');
  }
}
