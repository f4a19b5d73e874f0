import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../open-store.ts';

/**
 * The timeline that a server writes on; null on a standby. Each promotion of a standby begins a higher one, so of two
 * servers that both take writes the one on the lower timeline is out of date.
 */
export const TIMELINE = `case when not pg_is_in_recovery()
  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint end`;

const timeline: RawBuilder<string | null> = sql.raw(TIMELINE);

/** Whether a standby was promoted since any process looked last. */
export type TimelineNote =
  | { readonly kind: 'same' }
  /** It was: what had not reached it is not in the database. */
  | { readonly kind: 'raised'; readonly from: number; readonly to: number };

/**
 * Writes the server's timeline down. Of all processes one is told of a promotion. A lower timeline is that of another
 * server, into which a dump was restored, and nothing to report.
 */
export async function noteTimeline({ db }: Store): Promise<TimelineNote> {
  // Read first: a write every few seconds, in each process, would be the only one of an idle service.
  const { rows } = await sql<{ from: string; to: string | null }>`
    select timeline as "from", ${timeline} as "to" from server_timeline`.execute(db);
  const [seen] = rows;
  if (!seen || seen.to === null || seen.to === seen.from) return { kind: 'same' };
  const { rows: written } = await sql`
    update server_timeline set timeline = ${seen.to}, seen_at = now() where timeline = ${seen.from}
    returning timeline`.execute(db);
  const [from, to] = [Number(seen.from), Number(seen.to)];
  return written.length > 0 && from > 0 && to > from ? { kind: 'raised', from, to } : { kind: 'same' };
}
