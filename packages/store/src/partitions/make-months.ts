import type pg from 'pg';
import { LOCKS } from '../locks.ts';
import { type Month, monthAfter, monthAt } from './month.ts';
import { AUDIT, boundOf, MONTHLY_TABLES, type MonthlyTable, partitionOf } from './monthly-tables.ts';
import { type Partition, readPartitions } from './read-partitions.ts';
import { withDirectClient } from './with-direct-client.ts';

/** Months after the present one that have partitions: time enough to mend what keeps the next one from being made. */
export const MONTHS_AHEAD = 2;

/**
 * Gives up soon: whoever wants the table waits behind it. The next round comes again, and has two months for it.
 */
const TIMEOUTS = `set local lock_timeout = '300ms'; set local statement_timeout = '10s'`;

/**
 * Makes the partitions of the months up to two ahead, where they lack. Each is cut from the last one, which has no upper
 * bound, while nothing is in it: a moment's lock on the table, and no row is read.
 *
 * If nothing could be made for so long that time has come to the last partition, that becomes the partition of the
 * present month with all it holds, and a new one follows.
 * @param connectionString of the role that owns the tables.
 * @returns the names of the new partitions.
 */
export async function makeMonths(connectionString: string, now = Date.now()): Promise<string[]> {
  return withDirectClient(connectionString, async (client) => {
    const made: string[] = [];
    for (const table of MONTHLY_TABLES) {
      for (;;) {
        const name = await makeNext(client, table, now);
        if (name === null) break;
        made.push(name);
      }
    }
    return made;
  });
}

/** How many months after the present one have a partition in every table. */
export async function countMonthsAhead(connectionString: string, now = Date.now()): Promise<number> {
  const partitions = await withDirectClient(connectionString, readPartitions);
  const present = monthAt(now);
  let count = 0;
  const isThere = (month: Month) => MONTHLY_TABLES.every(({ name }) => covers(partitions, name, month));
  while (isThere(monthAfter(present, count + 1))) count += 1;
  return count;
}

/** A partition may hold several months, as the first one does. */
const covers = (partitions: readonly Partition[], table: string, month: Month) =>
  partitions.some((part) => part.table === table && isOfMonth(part) && part.month >= month);

const isOfMonth = (part: Partition): part is Partition & { readonly month: Month } =>
  part.month !== 'later' && part.month !== 'earlier';

/** The name of the next partition up to the last month wanted; null when all are there, or another process makes them. */
async function makeNext(client: pg.ClientBase, table: MonthlyTable, now: number): Promise<string | null> {
  const wanted = await nextOf(client, table, now);
  if (!wanted) return null;
  const made = await inTurn(client, () => cut(client, table, now));
  if (made?.kind !== 'in_use') return made?.name ?? null;
  // Beside the table's use, so that the lock need not wait for it.
  const bound = boundOf(table, monthAfter(monthAt(now)));
  if (bound <= wanted.from)
    throw new Error(`${table.name}_later holds rows of a time to come; a clock may be wrong.`);
  const check = `${table.name}_closed`;
  await inTurn(client, async () => {
    await client.query(`alter table ${table.name}_later drop constraint if exists ${check}`);
    await client.query(
      `alter table ${table.name}_later add constraint ${check} check (${table.key} < '${bound}') not valid`,
    );
    return null;
  });
  try {
    await inTurn(client, async () => {
      await client.query('set local statement_timeout = 0');
      await client.query(`alter table ${table.name}_later validate constraint ${check}`);
      return null;
    });
  } catch (err) {
    await client.query(`alter table ${table.name}_later drop constraint if exists ${check}`);
    throw err;
  }
  return inTurn(client, () => close(client, table, { now, bound, check }));
}

interface Next {
  readonly month: Month;
  readonly from: string;
}

/** The month after the newest partition's, if it is wanted. */
async function nextOf(client: pg.ClientBase, table: MonthlyTable, now: number): Promise<Next | undefined> {
  const parts = (await readPartitions(client)).filter((part) => part.table === table.name);
  const from = parts.find(({ month }) => month === 'later')?.from ?? null;
  const newest = parts.findLast(isOfMonth)?.month;
  if (from === null || newest === undefined) throw new Error(`${table.name} has no last partition.`);
  const month = monthAfter(newest);
  return month <= monthAfter(monthAt(now), MONTHS_AHEAD) ? { month, from } : undefined;
}

/** One process at a time, in a transaction. Null when it is another's turn. */
async function inTurn<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T | null> {
  await client.query('begin');
  try {
    await client.query(TIMEOUTS);
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      LOCKS.monthMaking,
    ]);
    const done = rows[0]?.mine ? await work() : null;
    await client.query('commit');
    return done;
  } catch (err) {
    await client.query('rollback');
    throw err;
  }
}

/** `in_use`: rows of that month are in the last partition, or of one before it. */
type Cut = { readonly kind: 'made'; readonly name: string } | { readonly kind: 'in_use' };

/** Cuts a month from the last partition; null when all are there. */
async function cut(client: pg.ClientBase, table: MonthlyTable, now: number): Promise<Cut | null> {
  await client.query(`lock table ${table.name} in access exclusive mode`);
  const next = await nextOf(client, table, now); // another process may have made it
  if (!next) return null;
  const to = boundOf(table, monthAfter(next.month));
  if (to <= next.from) throw new Error(`${table.name} holds a key of a month to come, ${next.from}.`);
  const later = `${table.name}_later`;
  const { rows } = await client.query(`select from ${later} where ${table.key} < '${to}' limit 1`);
  if (rows.length > 0) return { kind: 'in_use' };
  await client.query(`alter table ${table.name} detach partition ${later}`);
  const name = await create(client, table, {
    name: partitionOf(table.name, next.month),
    from: next.from,
    to,
  });
  await client.query(
    `alter table ${table.name} attach partition ${later} for values from ('${to}') to (maxvalue)`,
  );
  return { kind: 'made', name };
}

interface Closing {
  readonly now: number;
  readonly bound: string;
  readonly check: string;
}

/** The last partition becomes that of the present month; its check spares reading it. */
async function close(
  client: pg.ClientBase,
  table: MonthlyTable,
  { now, bound, check }: Closing,
): Promise<string | null> {
  await client.query(`lock table ${table.name} in access exclusive mode`);
  const next = await nextOf(client, table, now);
  const name = partitionOf(table.name, monthAt(now));
  const later = `${table.name}_later`;
  if (!next || next.from >= bound) return null;
  await client.query(`alter table ${table.name} detach partition ${later}`);
  await client.query(`alter table ${later} rename to ${name}`);
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = '${name}'::regclass`,
  );
  for (const index of rows)
    await client.query(`alter index ${index.name} rename to ${index.name.replace(later, name)}`);
  await client.query(
    `alter table ${table.name} attach partition ${name} for values from ('${next.from}') to ('${bound}')`,
  );
  await client.query(`alter table ${name} drop constraint ${check}`);
  await create(client, table, { name: later, from: bound, to: null });
  return name;
}

interface Creation {
  readonly name: string;
  readonly from: string;
  readonly to: string | null;
}

/** With the settings of the others: a partitioned table has none of its own. */
async function create(
  client: pg.ClientBase,
  table: MonthlyTable,
  { name, from, to }: Creation,
): Promise<string> {
  const { rows } = await client.query<{ options: string | null }>(
    `select array_to_string(reloptions, ', ') as options from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = '${table.name}'::regclass and reloptions is not null order by relname limit 1`,
  );
  const settings = rows[0]?.options ? `with (${rows[0].options})` : '';
  await client.query(
    `create table ${name} partition of ${table.name} for values from ('${from}') to (${to === null ? 'maxvalue' : `'${to}'`}) ${settings}`,
  );
  if (table.name === AUDIT)
    await client.query(
      `create trigger access_log_append_only before update or delete or truncate on ${name}
       for each statement execute function refuse_change()`,
    );
  return name;
}
