import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Lines by their ids, without the first bound and with the last. */
export interface LineRange {
  readonly after: bigint;
  readonly through: bigint;
}

/** No line has this id: the first seal holds whatever is there, also ids that were never given. */
export const BEFORE_ALL = -(2n ** 63n);

/**
 * Ids of one statement. It is planned again each time, over every month that has a table: at 1,024 the planning would
 * cost more than the lines.
 */
const PAGE_IDS = 8_192n;

/**
 * Bytes of every line in a range, concatenated page by page in the order of their ids. Pages are ranges of ids rather
 * than counts of lines, so that a line whose id is there twice is read twice.
 * @param bytes of one line.
 */
export async function* readPages(
  db: Kysely<Tables>,
  { after, through }: LineRange,
  bytes: RawBuilder<Buffer>,
): AsyncGenerator<Buffer> {
  for (let from = after; from < through;) {
    const to = from + PAGE_IDS < through ? from + PAGE_IDS : through;
    // As `bytea` node-postgres takes bytes in hexadecimal, which takes twice as long.
    const { rows } = await sql<{ page: string | null }>`
      select encode(string_agg(${bytes}, ''::bytea), 'base64') as page
      from (
        select * from access_log where id > ${from} and id <= ${to} order by id
      ) as line`.execute(db);
    const page = rows[0]?.page ?? null;
    if (page !== null) yield Buffer.from(page, 'base64');
    from = page === null ? await beforeNextLine(db, { after: to, through }) : to;
  }
}

/** Skips a gap, such as the one between two months. */
async function beforeNextLine(db: Kysely<Tables>, range: LineRange): Promise<bigint> {
  const id = await firstLine(db, range);
  return id === null ? range.through : id - 1n;
}

/** The lowest id of the lines in a range; null for none. */
export async function firstLine(db: Kysely<Tables>, { after, through }: LineRange): Promise<bigint | null> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from access_log where id > ${after} and id <= ${through}`.execute(db);
  const id = rows[0]?.id ?? null;
  return id === null ? null : BigInt(id);
}

/**
 * How far a line's time may lie outside of the seals around it. `at` is the start of its transaction, and none of the
 * service's lasts half a minute; clocks of servers that take over from each other differ by less than the rest.
 */
export const LATE_SECONDS = 60;
export const EARLY_SECONDS = 5;

const late = sql.raw(`interval '${LATE_SECONDS} seconds'`);
const early = sql.raw(`interval '${EARLY_SECONDS} seconds'`);

/**
 * Whether a line has a time at which it cannot have been written, as an SQL expression. A writer of lines could
 * choose the time, but not its place between two seals.
 * @param settledAt up to when all lines are in the seals before its own; null is no bound.
 * @param sealedAt when its own was made.
 */
export const isMisdated = (
  at: RawBuilder<Date>,
  settledAt: RawBuilder<Date | null>,
  sealedAt: RawBuilder<Date>,
): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${at} < ${settledAt} - ${late} or ${at} > ${sealedAt} + ${early}, false)`;
