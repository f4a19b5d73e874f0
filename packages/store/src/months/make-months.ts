import type pg from 'pg';
import { LOCKS } from '../locks.ts';
import { firstIdOf, LOG, type LogPart, partOf, readLogParts } from './log-parts.ts';
import { type Month, monthAfter, monthAt } from './month.ts';
import { withDirectClient } from './with-direct-client.ts';

/** Months after the present one that have a part: time enough to mend what keeps the next one from being made. */
export const MONTHS_AHEAD = 2;

/** Gives up soon: whoever writes to the log waits behind it. The next round comes again, and has two months for it. */
const TIMEOUTS = `set local lock_timeout = '300ms'; set local statement_timeout = '10s'`;

/**
 * Makes the parts of the log up to two months ahead, where they lack, and lets the ids of a month that has begun start at
 * its own. Each part is cut from the last one, which has no upper bound and no line: a moment's lock.
 *
 * Where no round ran when a month began, its lines go on in the part of the month before; nothing is lost.
 * @param connectionString of the role that owns the tables.
 * @returns the names of the new parts.
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

/** As {@link makeMonths}, within a transaction that no other process makes months beside. */
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

/** How many months after the present one have a part. */
export async function countMonthsAhead(connectionString: string, now = Date.now()): Promise<number> {
  const parts = await withDirectClient(connectionString, readLogParts);
  const present = monthAt(now);
  return parts.filter((part) => isOfMonth(part) && part.month > present).length;
}

const isOfMonth = (part: LogPart): part is LogPart & { readonly month: Month } =>
  part.month !== 'later' && part.month !== 'earlier';

interface Next {
  readonly month: Month;
  /** Null for the first part of all. */
  readonly from: bigint | null;
}

/** The month after the newest part's, or the present one; undefined once there are enough. */
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

/** Lets ids go on at the month's first, unless its part also has what is below. */
async function beginMonth(client: pg.ClientBase, month: Month): Promise<void> {
  const part = (await readLogParts(client)).find((one) => one.month === month);
  if (!part || part.from === null) return;
  await client.query(`select setval('access_log_id', $1, false) from access_log_id where last_value < $1`, [
    part.from,
  ]);
}
