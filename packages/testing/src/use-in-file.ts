import { afterAll, beforeAll } from 'vitest';

/** Milliseconds for a start or a stop: several processes, on a possibly busy machine. */
const PATIENCE_MS = 60_000;

/** A resource shared by all tests of a file: started before the first, stopped after the last. */
export function useInFile<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): () => T {
  let started: T | undefined;
  beforeAll(async () => void (started = await start()), PATIENCE_MS);
  afterAll(async () => void (await started?.stop()), PATIENCE_MS);
  return () => {
    if (started === undefined) throw new Error('What the tests of a file share is there once they run.');
    return started;
  };
}
