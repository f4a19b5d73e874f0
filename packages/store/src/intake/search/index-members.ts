import { sql } from 'kysely';
import { openOrNull } from '../../encryption/open-or-null.ts';
import { LOCKS } from '../../locks.ts';
import type { Store } from '../../open-store.ts';
import { readSizedPage } from '../../page.ts';
import { openRequestInfo } from '../request-row.ts';
import { memberIndex, memberIndexer, NO_MEMBER } from './member-index.ts';

export type IndexedMembers =
  /** `before`: the next batch is below this id; null when every request has its number. */
  | { readonly kind: 'indexed'; readonly count: number; readonly before: string | null }
  /** Another process does it. */
  | { readonly kind: 'busy' };

/**
 * Gives the next requests of before the number that their member id is looked up by, the newest first. Such requests
 * come from before the numbers and from processes of the version before. One process at a time; a batch that is cut
 * short is done again.
 */
export async function indexMembers(
  store: Store,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<IndexedMembers> {
  return store.db.transaction().execute(async (trx): Promise<IndexedMembers> => {
    const { rows: turns } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCKS.memberIndexing}::bigint) as mine`.execute(trx);
    if (!turns[0]?.mine) return { kind: 'busy' };
    const without = trx
      .selectFrom('request')
      .select(['id', 'account_id', 'input'])
      .where('member_index', 'is', null);
    const { rows, next_cursor } = await readSizedPage(trx, without, {
      limit,
      cursor: before,
      column: 'input',
    });
    const numbers = await numbersOf(store, rows);
    const ids = rows.map(({ id }) => id);
    await sql`
      with locked as (
        select id from request where id = any (${ids}) and member_index is null
        order by id for no key update skip locked
      )
      update request set member_index = computed.number
      from locked join unnest(${ids}::text[], ${numbers.map(String)}::bigint[])
        as computed (id, number) on computed.id = locked.id
      where request.id = locked.id and request.id = any (${ids})`.execute(trx);
    return { kind: 'indexed', count: rows.length, before: next_cursor };
  });
}

async function numbersOf(
  { vault }: Store,
  rows: readonly { readonly id: string; readonly account_id: string; readonly input: Buffer }[],
): Promise<bigint[]> {
  const index = await memberIndexer(
    vault,
    rows.map((row) => row.account_id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const input = await openOrNull(openRequestInfo(vault, row));
      return input ? memberIndex(index, row.account_id, input.patient_info.subscriber_id) : NO_MEMBER;
    }),
  );
}
