import { type Kysely, sql } from 'kysely';
import { EARLY_SECONDS, LATE_SECONDS } from '../audit/pages.ts';
import type { Tables } from '../tables/tables.ts';

/** The places of the lines between two times; null is no bound. */
export interface PlacedTimes {
  readonly after: string | null;
  readonly through: string | null;
}

/**
 * Bounds on the ids of the lines between two times, by the times of the seals. A search by the lines' own times was
 * rejected: one line with an older time, which a writer of lines may give it, hid all others from it. Where nothing
 * is sealed there are no bounds, and each line is looked at.
 */
export async function placeTimes(
  db: Kysely<Tables>,
  { since, until }: { readonly since?: Date | undefined; readonly until?: Date | undefined },
): Promise<PlacedTimes> {
  if (since === undefined && until === undefined) return { after: null, through: null };
  const { rows } = await sql<PlacedTimes>`
    select (
        select last_id from audit_seal
        where sealed_at < ${since ?? null}::timestamptz - make_interval(secs => ${EARLY_SECONDS})
        order by sealed_at desc, number desc limit 1
      ) as after, (
        select last_id from audit_seal
        where settled_at > ${until ?? null}::timestamptz + make_interval(secs => ${LATE_SECONDS})
        order by settled_at, number limit 1
      ) as through`.execute(db);
  return rows[0] ?? { after: null, through: null };
}
