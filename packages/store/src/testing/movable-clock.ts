import { moveProcess } from '@insurance-verification/testing/move-process';
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
  await withClient(adminConnectionString, (client) =>
    client.query(`create database ${client.escapeIdentifier(name)}`),
  );
  await makeMovable(connectionString);
  await migrate({ connectionString });
  const moveHere = moveProcess();
  return {
    connectionString,
    move: async (milliseconds) => {
      await moveDatabase(connectionString, milliseconds);
      moveHere.by(milliseconds);
    },
    drop: async () => {
      moveHere.restore();
      await withClient(adminConnectionString, (client) => dropDatabase(client, name));
    },
  };
}

/** Gives an empty database the clock; the service then migrates it. */
export async function makeMovable(connectionString: string): Promise<void> {
  const { pathname } = new URL(connectionString);
  await withClient(connectionString, async (client) => {
    await client.query(CLOCK);
    await client.query(
      `alter database ${client.escapeIdentifier(pathname.slice(1))} set search_path = moved, public, pg_catalog`,
    );
  });
}

/** Moves the time of a movable database; a negative number sets the clock back. */
export async function moveDatabase(connectionString: string, milliseconds: number): Promise<void> {
  await withClient(connectionString, (client) =>
    client.query(`update moved.clock set shift = shift + $1 * interval '1 ms'`, [milliseconds]),
  );
}

const CLOCK = `
  create schema moved;
  create table moved.clock (shift interval not null);
  insert into moved.clock values ('0');
  create function moved.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + shift from moved.clock $$;
  create function moved.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + shift from moved.clock $$`;
