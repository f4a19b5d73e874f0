import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { parseMasterKeys } from '../../src/encryption/master-keys.ts';
import { Vault } from '../../src/encryption/vault.ts';
import { openStore, type Store } from '../../src/index.ts';
import type { Tables } from '../../src/tables.ts';
import { type Statement, statementOf } from './statement.ts';

/** A store that writes down each statement, its own opening included. One connection each, so that there is one order. */
export async function openRecorded(options: {
  readonly connectionString: string;
  readonly encryptionKey: string;
}): Promise<{ readonly store: Store; readonly statements: Statement[] }> {
  const { connectionString, encryptionKey } = options;
  const statements: Statement[] = [];
  const recorded = (on: Statement['on']) => {
    const pool = new pg.Pool({ connectionString, max: 1 });
    pool.on('error', () => undefined); // its end does not wait for the last message, and the server stops next
    const connect = async () => recording(await pool.connect(), on, statements);
    return new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    });
  };
  const db = recorded('db');
  const keyDb = recorded('keyDb');
  const vault = await Vault.open(keyDb, parseMasterKeys(encryptionKey));
  const plain = await openStore(options);
  const close = async () => void (await Promise.all([plain.close(), db.destroy(), keyDb.destroy()]));
  return { store: { ...plain, db, keyDb, vault, close }, statements };
}

function recording(client: pg.PoolClient, on: Statement['on'], statements: Statement[]): pg.PoolClient {
  const query = async (text: string, values: readonly unknown[] = []) => {
    const result = await client.query<Record<string, unknown>>(text, [...values]);
    statements.push(statementOf(on, text, values, result));
    return result;
  };
  return new Proxy(client, {
    get: (target, key) => {
      if (key === 'query') return query;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
