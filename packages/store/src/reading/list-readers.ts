import type { RequestReader } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { within, reachesRequest } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';
import { linesAbout } from './list-audit.ts';

/** Lines read for one answer: a program may read a request each second, and each call of a key has its line. */
const LINE_COUNT_MAX = 10_000;

export type ListedReaders =
  | { readonly kind: 'found'; readonly readers: RequestReader[] }
  /** No such request within the caller's reach. */
  | { readonly kind: 'not_found' };

interface ReaderRow {
  key_id: string | null;
  name: string | null;
  operation: string;
  count: number;
  first_at: Date;
  last_at: Date;
}

/**
 * Who did what with a request, and how often, the latest first. As in the audit, an actor beyond the caller's reach, a
 * live person to a test account's, is not named.
 */
export async function listReaders(
  { db }: Store,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
): Promise<ListedReaders> {
  if (!(await reachesRequest({ db }, { caller, requestId }))) return { kind: 'not_found' };
  const sees = sql`(${within(caller, 'account_id')} or key_id not similar to '(key|stf)\\_%')`;
  const { rows } = await sql<ReaderRow>`
    with line as (
      select id, at, operation, case when ${sees} then key_id end as key_id,
        case when ${sees} then actor_name end as actor_name
      from ${linesAbout(requestId)} order by id desc limit ${LINE_COUNT_MAX}
    ), reader as (
      select key_id, operation, count(*)::int as count, min(at) as first_at, max(at) as last_at,
        (array_agg(actor_name order by id desc))[1] as name
      from line group by key_id, operation
    )
    select * from reader order by last_at desc, operation`.execute(db);
  await recordAccess(db, { caller, operation: 'requests.readers', requestIds: [requestId] });
  return { kind: 'found', readers: rows.map(toReader) };
}

function toReader({ name, first_at: firstAt, last_at: lastAt, ...row }: ReaderRow): RequestReader {
  return {
    ...row,
    name: name === null ? null : (JSON.parse(name) as string),
    first_at: firstAt.toISOString(),
    last_at: lastAt.toISOString(),
  };
}
