import { inject } from 'vitest';
import { migrate } from '../migrations/migrate.ts';
import { type TestDatabase, withClient } from './create-test-database.ts';
import { dropDatabase } from './drop-database.ts';
import { onDatabase } from './test-server.ts';

/** A database and this process, whose time a test moves. */
export interface MovableClock extends TestDatabase {
  /**
   * Moves the time of the database and of `Date` in this process; a negative number sets the clock back. The monotonic
   * `performance.now()` only goes forward. Timers are not moved: what waits for one is woken by the test.
   */
  readonly move: (milliseconds: number) => Promise<void>;
  /** Gives this process its own time again, and drops the database. */
  readonly drop: () => Promise<void>;
}

/**
 * Creates a migrated database with a clock that a test moves. Its `now()` and `clock_timestamp()` are functions of a schema
 * that comes before `pg_catalog` in the search path, so the service’s own statements, functions and defaults take them
 * without a change; `Date` is the process’s. A template cannot be cloned for it: defaults keep the `now()` that they were
 * created with.
 */
export async function createMovableClock(): Promise<MovableClock> {
  const { adminConnectionString, templateName } = inject('testServer');
  const name = `${templateName.replace(/_template$/, '')}_${process.pid}_${process.hrtime.bigint().toString(36)}`;
  const connectionString = onDatabase(adminConnectionString, name);
  await withClient(adminConnectionString, async (client) => {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
    await client.query(
      `alter database ${client.escapeIdentifier(name)} set search_path = moved, public, pg_catalog`,
    );
  });
  await withClient(connectionString, (client) => client.query(CLOCK));
  await migrate({ connectionString });
  const restore = moveProcess();
  return {
    connectionString,
    move: async (milliseconds) => {
      await withClient(connectionString, (client) =>
        client.query(`update moved.clock set shift = shift + $1 * interval '1 ms'`, [milliseconds]),
      );
      shiftMs += milliseconds;
      monotonicShiftMs += Math.max(milliseconds, 0);
    },
    drop: async () => {
      restore();
      await withClient(adminConnectionString, (client) => dropDatabase(client, name));
    },
  };
}

const CLOCK = `
  create schema moved;
  create table moved.clock (shift interval not null);
  insert into moved.clock values ('0');
  create function moved.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + shift from moved.clock $$;
  create function moved.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + shift from moved.clock $$`;

let shiftMs = 0;
let monotonicShiftMs = 0;

/** @returns what undoes it. */
function moveProcess(): () => void {
  const RealDate = globalThis.Date;
  const realNow = performance.now.bind(performance);
  shiftMs = 0;
  monotonicShiftMs = 0;
  const now = () => RealDate.now() + shiftMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
  performance.now = () => realNow() + monotonicShiftMs;
  return () => {
    globalThis.Date = RealDate;
    performance.now = realNow;
  };
}
