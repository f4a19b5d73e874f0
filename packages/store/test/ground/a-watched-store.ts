import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { createMasterKey, openStore, type Store } from '../../src/index.ts';
import type { OwnServer } from '../../src/testing/own-server.ts';

/** A store at a server of the test's own, with what its watch reported of commits that hang. */
export async function aWatchedStore(server: OwnServer, connectionString = server.connectionString) {
  const reported: boolean[] = [];
  const store = await openStore({
    connectionString,
    encryptionKey: createMasterKey('k1'),
    onCommitsHanging: (isHanging) => reported.push(isHanging),
  });
  onTestFinished(() => store.close());
  return { store, reported };
}

/** A write to a table, like any ordinary one. */
export const write = (store: Store, note: string) =>
  sql`insert into access_log (operation) values (${note})`.execute(store.db);

export const errorOf = (promise: Promise<unknown>) => promise.then(() => null).catch((err: unknown) => err);
