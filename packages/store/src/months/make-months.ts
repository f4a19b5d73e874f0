import type pg from 'pg';
import { LOCKS } from '../locks.ts';
import {
  firstIdOf,
  LOG,
  type LogPart,
  partOf,
  readLogParts,
  type Month,
  monthAfter,
  monthAt,
  withDirectClient,
} from './log-parts.ts';
/** The number of months ahead for which partitions exist: time to repair what keeps the next one from being made. */
const MONTHS_AHEAD = 2;

/**
 * Short timeouts, since writers of the log wait for the lock. The next round tries again, and has two months for it.
 */
const TIMEOUTS = `set local lock_timeout = '300ms'; set local statement_timeout = '10s'`;

/**
 * Creates the missing partitions of the access log up to two months ahead, and once a month has begun moves the id
 * sequence to its first id. Each partition is cut from `later`, which has no rows and no upper bound, so its lock lasts
 * a moment. Where no round ran at the begin of a month, its lines go into the partition of the month before; nothing is
 * lost.
 * @param connectionString of the role that owns the tables.
 * @returns the names of the new partitions.
 */
export async function makeMonths(connectionString: string, now = Date.now()): Promise<string[]> {
  return withDirectClient(connectionString, async (client) => {
    await client.query('begin');
    try {
      await client.query(TIMEOUTS);
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
        LOCKS.monthMaking,
      ]);
      const made = rows[0]?.mine ? await makeParts(client, now) : [];
      await client.query('commit');
      return made;
    } catch (err) {
      await client.query('rollback');
      throw err;
    }
  });
}

/** As {@link makeMonths}, within a transaction that holds the advisory lock `monthMaking`. */
export async function makeParts(client: pg.ClientBase, now: number): Promise<string[]> {
  const made: string[] = [];
  // Before a part is cut, which may fail: this locks no table, and no rollback takes it back.
  await beginMonth(client, monthAt(now));
  for (let next = await nextMonth(client, now); next; next = await nextMonth(client, now)) {
    await cut(client, next);
    made.push(partOf(next.month));
  }
  if (made.length > 0) await beginMonth(client, monthAt(now));
  return made;
}

/** The number of months after the present one that have a partition. */
export async function countMonthsAhead(connectionString: string, now = Date.now()): Promise<number> {
  const parts = await withDirectClient(connectionString, readLogParts);
  const present = monthAt(now);
  return parts.filter((part) => isOfMonth(part) && part.month > present).length;
}

const isOfMonth = (part: LogPart): part is LogPart & { readonly month: Month } =>
  part.month !== 'later' && part.month !== 'earlier';

interface Next {
  readonly month: Month;
  /** The lower bound; null for the first partition, which has none. */
  readonly from: bigint | null;
}

/**
 * The next month to create: the one after the newest partition, or the present month without one; undefined
 * once enough exist.
 */
async function nextMonth(client: pg.ClientBase, now: number): Promise<Next | undefined> {
  const parts = await readLogParts(client);
  const newest = parts.findLast(isOfMonth)?.month;
  const later = parts.find(({ month }) => month === 'later');
  if (!later) throw new Error(`${LOG} has no last part.`);
  const present = monthAt(now);
  const month = newest === undefined ? present : monthAfter(newest);
  return month <= monthAfter(present, MONTHS_AHEAD) ? { month, from: later.from } : undefined;
}

async function cut(client: pg.ClientBase, { month, from }: Next): Promise<void> {
  const to = firstIdOf(monthAfter(month));
  const later = `${LOG}_later`;
  await client.query(`lock table ${LOG} in access exclusive mode`);
  await client.query(`alter table ${LOG} detach partition ${later}`);
  // With the settings of the last one: a partitioned table has none of its own.
  const { rows } = await client.query<{ settings: string | null }>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = '${later}'::regclass`,
  );
  await client.query(
    `create table ${partOf(month)} partition of ${LOG}
     for values from (${from === null ? 'minvalue' : `'${from}'`}) to ('${to}') with (${rows[0]?.settings})`,
  );
  await client.query(
    `create trigger access_log_append_only before update or delete or truncate on ${partOf(month)}
     for each statement execute function refuse_change('access_log')`,
  );
  // Fails where a line has an id of a month to come already, which no sequence gives.
  await client.query(`alter table ${LOG} attach partition ${later} for values from ('${to}') to (maxvalue)`);
}

/** Moves the id sequence to the month's first id, unless its partition also holds all lower ids. */
async function beginMonth(client: pg.ClientBase, month: Month): Promise<void> {
  const part = (await readLogParts(client)).find((one) => one.month === month);
  if (!part || part.from === null) return;
  await client.query(`select setval('access_log_id', $1, false) from access_log_id where last_value < $1`, [
    part.from,
  ]);
}
