import type pg from 'pg';
import { clientFor } from '../connection/client/client-for.ts';

/** Runs work on a new connection that it closes afterwards. `connectionString` names the role that owns the tables. */
export async function withDirectClient<T>(
  connectionString: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const Client = clientFor(connectionString);
  const client = new Client({ connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
