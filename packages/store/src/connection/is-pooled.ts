import type pg from 'pg';

/**
 * Whether the connection goes through a pooler: it reports its own process ids, since its clients' statements may run
 * in any backend.
 */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as { processID?: number }).processID;
}
