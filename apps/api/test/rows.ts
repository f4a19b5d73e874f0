import { signEveryRow } from '@insurance-verification/store/testing';
import pg from 'pg';
import { MASTER_KEY } from './master-key.ts';

/** Reads the database directly, or writes what no operation can arrange. */
export async function rows<T = Record<string, unknown>>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as T[];
  } finally {
    await client.end();
  }
}

/** As {@link rows}, for rows that give power: as if the service had written it, which signs them. */
export async function alter(databaseUrl: string, text: string, values: unknown[] = []): Promise<void> {
  await rows(databaseUrl, text, values);
  await signEveryRow({ connectionString: databaseUrl, encryptionKey: MASTER_KEY });
}
