import { BY_INDEX_ALONE } from '../../../functions/by-index-alone.ts';
import { databaseFunction } from '../../../functions/database-function.ts';

/**
 * Notes that requests of these accounts are being leased. A row that another claim writes at the moment is left to it: it
 * notes the same time, and nobody waits for its commit.
 *
 * A table of its own, with a row for each account: by their newest attempts, eight accounts took 64 to 120 pages of a
 * million requests, most of them anywhere on the disk, and an index that every attempt was written to.
 */
export const noteServedFunction = databaseFunction(
  'note_served',
  (name) => `create function ${name}(account_ids text[]) returns void language plpgsql ${BY_INDEX_ALONE} as $$
  declare noted_count integer;
  begin
    update account_served set served_at = now()
    where ctid = any (array(
      select free.ctid from account_served free where free.account_id = any (account_ids)
      for no key update skip locked
    ));
    get diagnostics noted_count = row_count;
    if noted_count < cardinality(account_ids) then
      insert into account_served (account_id)
      select id from unnest(account_ids) as id
      where (select served_at from account_served where account_id = id) is null -- no join, whose plan could scan it
      order by id
      on conflict do nothing;
    end if;
  end $$`,
);
