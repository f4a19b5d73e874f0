import type { Config } from '../../config/config.ts';

/** A process's connections that are not in its pool: for keys, and for notifications. */
const BESIDE_POOL = 2;

/** The connections that a process may hold at once. */
export function connectionCountOf({ databasePoolMax }: Pick<Config, 'databasePoolMax'>): number {
  return databasePoolMax + BESIDE_POOL;
}
