import type pg from 'pg';

/** Gives up soon, so that those who wait behind it wait no longer; the migration then comes again. */
export const AT_ONCE = `perform set_config('lock_timeout', '800ms', true)`;

/** A statement that locks a table for a moment. */
async function atOnce(client: pg.ClientBase, statement: string): Promise<void> {
  await client.query(`do $block$ begin ${AT_ONCE}; ${statement}; end $block$`);
}

export async function isPartitioned(client: pg.ClientBase, relation: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select relkind in ('p', 'I') as is from pg_class where oid = to_regclass($1)`,
    [relation],
  );
  return rows[0]?.is ?? false;
}

interface IndexToBuild {
  readonly name: string;
  readonly table: string;
  readonly kind: 'index' | 'unique index';
  readonly definition: string;
}

/**
 * Builds the index of a table with partitions beside its use. PostgreSQL builds none concurrently there: the table's own
 * index is declared, which is invalid; each partition's is built concurrently and attached; the last one makes it valid.
 * A partition that is made meanwhile comes with its index.
 */
export async function createPartitionedIndex(
  client: pg.ClientBase,
  { name, table, kind, definition }: IndexToBuild,
): Promise<void> {
  const { rows } = await client.query('select where to_regclass($1) is not null', [name]);
  if (rows.length === 0) await atOnce(client, `create ${kind} ${name} on only ${table} ${definition}`);
  for (;;) {
    const part = await nextWithout(client, name, table);
    if (!part) return;
    const index = `${part.name}_${name.replace(`${table}_`, '')}`;
    if (part.isBroken) await client.query(`drop index concurrently ${index}`);
    if (!part.isBuilt)
      await client.query(`create ${kind} concurrently ${index} on ${part.name} ${definition}`);
    await atOnce(client, `alter index ${name} attach partition ${index}`);
  }
}

/** The next partition whose index is not attached. */
async function nextWithout(client: pg.ClientBase, name: string, table: string) {
  const { rows } = await client.query<{ name: string; isBuilt: boolean; isBroken: boolean }>(
    `select part.relname as name, coalesce(indisvalid, false) as "isBuilt", coalesce(not indisvalid, false) as "isBroken"
     from pg_inherits join pg_class part on part.oid = inhrelid
     left join pg_index on indexrelid = to_regclass(part.relname || '_' || $3)
     where inhparent = $2::regclass and not inhdetachpending and not exists (
       select from pg_inherits attached join pg_index own on own.indexrelid = attached.inhrelid
       where attached.inhparent = $1::regclass and own.indrelid = part.oid
     )
     order by part.relname limit 1`,
    [name, table, name.replace(`${table}_`, '')],
  );
  return rows[0];
}

/** Drops the index of a table with partitions: none is dropped concurrently there, and it takes a moment. */
export async function dropPartitionedIndex(client: pg.ClientBase, name: string): Promise<void> {
  await atOnce(client, `drop index ${name}`);
}
