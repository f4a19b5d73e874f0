import type pg from 'pg';

/**
 * Makes a server read its files again: `postgresql.auto.conf`, `pg_hba.conf`. The server is only told to; this resolves
 * once new sessions begin with what it has read.
 * @param ask runs a statement in a session of its own
 */
export async function reloadSettings(
  ask: (statement: string) => Promise<pg.QueryResultRow[]>,
): Promise<void> {
  const readAt = async () => {
    const [row] = await ask('select pg_conf_load_time()::text as at');
    return row?.['at'] as string;
  };
  const before = await readAt();
  await ask('select pg_reload_conf()');
  for (;;) if ((await readAt()) !== before) return;
}
