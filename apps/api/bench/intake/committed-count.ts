import type { BenchDatabase } from '../ground/bench-server.ts';

/**
 * Transactions that wrote, from the next transaction id. The statistics views lag by a second and also count reads,
 * which sync nothing.
 */
export async function committedCount({ client }: Pick<BenchDatabase, 'client'>): Promise<number> {
  const { rows } = await client.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  return Number(rows[0]?.next);
}
