import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { checked } from './config-fields.ts';

/** How many processes serve, and how much of the database each may take. */
export interface ProcessSize {
  /** Processes under one supervisor; 1: this process alone, without one. */
  readonly workers: number;
  /** Connections of a process's pool; it has {@link CONNECTIONS_BESIDE_POOL} more. */
  readonly databasePoolMax: number;
}

/** A process's connections that are not in its pool: for keys, and for notifications. */
const CONNECTIONS_BESIDE_POOL = 2;

/** Workers of one machine; more machines take more. */
const WORKERS_MAX = 64;

export const PROCESS_SIZE_VARIABLES = {
  WORKERS: checked(readWorkers).default(1),
  DATABASE_POOL_MAX: z.coerce.number('expected a number of connections').int().min(2).max(200).default(20),
};

function readWorkers(text: string): number {
  const count = text === 'auto' ? availableParallelism() : Number(text);
  if (!Number.isInteger(count) || count < 1 || count > WORKERS_MAX)
    throw new TypeError(`expected auto, or a number of processes from 1 to ${WORKERS_MAX}`);
  return count;
}

/** A supervisor's pool: for the first keys, and to free what a dead worker held. */
export const SUPERVISOR_POOL_MAX = 2;

/** The connections that all processes of a service may hold: one more worker runs while another is replaced. */
export function connectionCountOf({ workers, databasePoolMax }: ProcessSize): number {
  if (workers === 1) return databasePoolMax + CONNECTIONS_BESIDE_POOL;
  // A supervisor hears no notifications.
  return (workers + 1) * (databasePoolMax + CONNECTIONS_BESIDE_POOL) + SUPERVISOR_POOL_MAX + 1;
}
