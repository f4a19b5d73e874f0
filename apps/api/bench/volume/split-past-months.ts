import type pg from 'pg';
import { lowestIdAt } from './moved-ids.ts';

interface SplitTable {
  readonly name: string;
  readonly key: string;
  /** The partition of the present month and all before. */
  readonly first: string;
  /** Its settings, for each month. */
  readonly options: string;
  readonly end: string;
}

/**
 * Gives each monthly table the partitions of the months from a time on, as it would have them by then. Nothing is in the
 * tables yet: they begin with one partition of the present month and all before.
 */
export async function splitPastMonths(client: pg.Client, sinceMs: number): Promise<void> {
  const { rows: tables } = await client.query<SplitTable>(
    `select whole.relname as name, attname as key, part.relname as first,
       coalesce('with (' || array_to_string(part.reloptions, ', ') || ')', '') as options,
       substring(pg_get_expr(part.relpartbound, part.oid) from 'TO \\((.*)\\)') as end
     from pg_partitioned_table
     join pg_class whole on whole.oid = partrelid
     join pg_attribute on attrelid = whole.oid and attnum = partattrs[0]
     join pg_inherits on inhparent = whole.oid
     join pg_class part on part.oid = inhrelid
     where pg_get_expr(part.relpartbound, part.oid) like 'FOR VALUES FROM (MINVALUE)%'`,
  );
  const months = monthsSince(sinceMs);
  for (const { name, key, first, options, end } of tables) {
    const boundOf = (ms: number) =>
      `'${key === 'at' ? new Date(ms).toISOString() : lowestIdAt(key === 'delivery_id' ? 'msg' : 'req', ms)}'`;
    await client.query(`alter table ${name} detach partition ${first}`);
    let from = 'minvalue';
    for (const [index, month] of months.slice(0, -1).entries()) {
      const to = boundOf(months[index + 1] ?? month);
      const part = `${name}_${new Date(month).toISOString().slice(0, 7).replace('-', '_')}`;
      await client.query(
        `create table ${part} partition of ${name} for values from (${from}) to (${to}) ${options}`,
      );
      from = to;
    }
    await client.query(`alter table ${name} attach partition ${first} for values from (${from}) to (${end})`);
  }
}

/** The starts of the months from that of a time to the present one. */
function monthsSince(ms: number): number[] {
  const now = Date.now();
  const starts: number[] = [];
  const month = new Date(ms);
  for (let at = Date.UTC(month.getUTCFullYear(), month.getUTCMonth()); at <= now;) {
    starts.push(at);
    const next = new Date(at);
    at = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
  }
  return starts;
}
