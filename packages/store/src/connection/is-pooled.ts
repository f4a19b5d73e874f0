import type pg from 'pg';

/**
 * Whether a pooler stands between: it gives its clients process ids of its own, since their statements may run in any
 * backend.
 */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as { processID?: number }).processID;
}
