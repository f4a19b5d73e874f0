import { reloadSettings } from '@insurance-verification/store/testing/reload-settings';
import type pg from 'pg';
import { headOf, moveHead, STEP_MS, withHead } from './moved-ids.ts';
import type { Column, Generation, GenerationTable } from './take-generation.ts';
import { openUnfinished, SEALED_COLUMNS, sealMoved, type UnfinishedValues } from './unfinished-values.ts';
import type { VolumeDatabase } from './volume-server.ts';

/** Tables are written side by side: each of two connections writes half of the bytes. */
const CONNECTION_COUNT = 2;

/** Copies between two vacuums: what they look at is still in memory. */
const COPIES_PER_VACUUM = 10;

/**
 * A made delivery fills its page while it is pending, and grows by a twelfth as it ends. A copy has its end from the
 * beginning: it needs less of the room that a page keeps.
 */
const DELIVERY_FILLFACTOR = { made: 80, copied: 87 };

/**
 * Writes a generation's rows into the store's tables again, for each number of steps: with ids and times so much later,
 * which is earlier for negative ones. Indexes stay. Triggers do not run, and with them foreign keys: a table is written
 * beside the one that it names.
 */
export async function multiplyGeneration(
  database: VolumeDatabase,
  generation: Generation,
  stepCounts: readonly number[],
): Promise<void> {
  const { client: admin, store } = database;
  const unfinished = await openUnfinished(admin, store);
  // Autovacuum would keep the vacuums waiting that follow the copies.
  await admin.query('alter system set autovacuum = off');
  await reloadSettings(database.ask);
  await admin.query(`alter table public.delivery set (fillfactor = ${DELIVERY_FILLFACTOR.copied})`);
  await Promise.all(
    shareOut(generation.tables).map(async (tables) => {
      const client = await database.connect();
      try {
        await client.query('set session_replication_role = replica');
        for (const [index, stepCount] of stepCounts.entries()) {
          for (const table of tables)
            await copyTable({ client, database, generation, unfinished }, table, stepCount);
          if ((index + 1) % COPIES_PER_VACUUM === 0)
            for (const { name } of tables) await client.query(`vacuum public.${name}`);
        }
      } finally {
        await client.end();
      }
    }),
  );
  await admin.query(`alter table public.delivery set (fillfactor = ${DELIVERY_FILLFACTOR.made})`);
  await admin.query('alter system reset autovacuum');
  await reloadSettings(database.ask);
}

/** The largest first, each to whoever has least. */
function shareOut(tables: readonly GenerationTable[]): GenerationTable[][] {
  const shares = Array.from({ length: CONNECTION_COUNT }, () => ({
    bytes: 0,
    tables: [] as GenerationTable[],
  }));
  for (const table of tables.toSorted((a, b) => b.bytes - a.bytes)) {
    const [least] = shares.toSorted((a, b) => a.bytes - b.bytes);
    if (!least) continue;
    least.bytes += table.bytes;
    least.tables.push(table);
  }
  return shares.map((share) => share.tables);
}

interface Copying {
  readonly client: pg.Client;
  readonly database: VolumeDatabase;
  readonly generation: Generation;
  readonly unfinished: UnfinishedValues;
}

async function copyTable(
  { client, database, generation: { heads }, unfinished }: Copying,
  { name, columns }: GenerationTable,
  stepCount: number,
): Promise<void> {
  const sealed = SEALED_COLUMNS[name];
  const values = await sealMoved(database.store, name, unfinished.get(name) ?? [], stepCount);
  const ids = columns.filter(({ kind }) => kind === 'id').map((column) => column.name);
  const valueOf = (column: Column) => {
    if (column.kind === 'id') return withHead(`row.${column.name}`, `${column.name}_moved.to_head`);
    if (column.kind === 'time') return `row.${column.name} + make_interval(secs => $1)`;
    return column.name === sealed?.column
      ? `coalesce(resealed.value, row.${column.name})`
      : `row.${column.name}`;
  };
  await client.query(
    `with head (of, to_head) as (select * from unnest($2::text[], $3::text[]))
     insert into public.${name} (${columns.map((column) => column.name).join(', ')})
     select ${columns.map(valueOf).join(', ')}
     from generation.${name} as row
     ${ids.map((id) => `join head as ${id}_moved on ${id}_moved.of = ${headOf(`row.${id}`)}`).join(' ')}
     ${sealed ? `left join unnest($4::text[], $5::bytea[]) as resealed (id, value) on resealed.id = row.${sealed.key}` : ''}`,
    [
      (stepCount * STEP_MS) / 1_000,
      heads,
      heads.map((head) => moveHead(head, stepCount)),
      ...(sealed ? [values.ids, values.sealed] : []),
    ],
  );
}
