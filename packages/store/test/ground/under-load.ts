import type { Store } from '../../src/index.ts';
import type { TestStores } from './open-test-stores.ts';

/** What goes on beside a test. */
interface Load {
  /** How often it was done. */
  readonly count: () => number;
  /** Ends it. @throws what it threw. */
  readonly stop: () => Promise<void>;
}

/**
 * Does something again and again, by a store of its own whose statements wait no longer than told for a lock.
 * @param begin what is done once before.
 */
export function underLoad(
  { sql, open }: Pick<TestStores, 'sql' | 'open'>,
  lockTimeout: string,
  begin: (impatient: Store) => Promise<() => Promise<unknown>>,
): Load {
  let isOver = false;
  let count = 0;
  const lane = async () => {
    await sql(`do $$ begin execute format('alter role %I in database %I set lock_timeout = %L',
      current_user, current_database(), '${lockTimeout}'); end $$`);
    const step = await begin(await open());
    for (; !isOver; count += 1) await step();
  };
  const running = lane();
  running.catch(() => undefined); // reported by stop
  return {
    count: () => count,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}
