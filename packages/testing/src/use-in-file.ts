import { afterAll, beforeAll } from 'vitest';

/** Milliseconds that a start or an end may take: several processes, on a machine that may be busy. */
const PATIENCE_MS = 60_000;

/** What all tests of a file share: started before the first, stopped after the last. */
export function useInFile<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): () => T {
  let started: T | undefined;
  beforeAll(async () => void (started = await start()), PATIENCE_MS);
  afterAll(async () => void (await started?.stop()), PATIENCE_MS);
  return () => {
    if (started === undefined) throw new Error('What the tests of a file share is there once they run.');
    return started;
  };
}
