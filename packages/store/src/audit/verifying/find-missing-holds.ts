import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/** A legal hold that was placed by a sealed line, that no line ends, and that does not stand in its table. */
export interface MissingHold {
  readonly holdId: string;
  readonly placedAt: Date;
  /** Null where it covered a whole account. */
  readonly requestId: string | null;
}

interface PlacingRow {
  readonly id: string;
  readonly at: Date;
  readonly request_id: string | null;
}

/**
 * The legal holds that vanished: somebody removed the row, put an end into it, or turned it to something else. It needs no
 * master key, so it believes the row's columns; an erasure looks at the MAC as well. Lines of dropped months are not
 * there to be compared.
 */
export async function findMissingHolds(db: Kysely<Tables>): Promise<MissingHold[]> {
  const { rows } = await sql<PlacingRow>`
    select placed.subject_id as id, placed.at, placed.request_id
    from access_log placed
    where placed.operation = 'holds.place' and placed.outcome = 'done' and placed.subject_id is not null
      and placed.id <= (select max(last_id) from audit_seal)
      and not exists (
        select from access_log ending
        where ending.operation = 'holds.end' and ending.outcome = 'done' and ending.subject_id = placed.subject_id)
      and not exists (
        select from legal_hold hold
        where hold.id = placed.subject_id and hold.ended_at is null
          and hold.request_id is not distinct from placed.request_id
          and placed.details = pg_catalog.format('{"before":null,"after":{"account_id":"%s","request_id":%s}}',
            hold.account_id, coalesce('"' || hold.request_id || '"', 'null')))
    order by placed.id`.execute(db);
  return rows.map(({ id, at, request_id }) => ({ holdId: id, placedAt: at, requestId: request_id }));
}
