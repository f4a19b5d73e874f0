import { type RawBuilder, sql } from 'kysely';

const rowsOf = (table: 'new_row' | 'old_row', sign: 1 | -1) =>
  `select received_by is not null as is_keyed, reason, status, byte_count, ${sign} as sign from ${table}`;
const inserted = rowsOf('new_row', 1);
const deleted = rowsOf('old_row', -1);

/**
 * Eight counters for two shares: outputs held for senders with a verifier's key, and for all others. Triggers maintain
 * them, so every writer is counted and nobody sums 10,000 rows.
 *
 * Holding an output locks the counters of its share, and a trigger locks those it changes, both in primary key order,
 * which prevents deadlocks. Applied outputs belong to a result's record and are not counted.
 */
export const countHeldOutputs: readonly RawBuilder<unknown>[] = [
  // Almost empty pages, so that new row versions fit beside the old: updates touch no index, and vacuum has no work.
  sql`create table held_count (
    is_keyed boolean,
    reason text,
    row_count bigint not null default 0,
    byte_count bigint not null default 0,
    dismissed_row_count bigint not null default 0,
    dismissed_byte_count bigint not null default 0,
    primary key (is_keyed, reason)
  ) with (fillfactor = 10)`,
  sql`insert into held_count (is_keyed, reason)
    select is_keyed, reason from unnest(array[false, true]) as is_keyed,
      unnest(array['untrusted', 'unmatched', 'input_mismatch', 'superseding']) as reason`,
  ...counting('insert', 'referencing new table as new_row', inserted),
  ...counting('delete', 'referencing old table as old_row', deleted),
  ...counting(
    'update',
    'referencing old table as old_row new table as new_row',
    `${inserted} union all ${deleted}`,
  ),
  sql`create function count_held_output_truncate() returns trigger language plpgsql as $$
    begin
      update held_count set row_count = 0, byte_count = 0, dismissed_row_count = 0, dismissed_byte_count = 0;
      return null;
    end $$`,
  sql`create trigger held_output_count_truncate after truncate on held_output
    for each statement execute function count_held_output_truncate()`,
];

/** Runs once per statement, however many rows it changes. */
function counting(event: 'insert' | 'delete' | 'update', referencing: string, changes: string) {
  return [
    sql.raw(`create function count_held_output_${event}() returns trigger language plpgsql as $$
    declare change record;
    begin
      for change in
        select is_keyed, reason,
          coalesce(sum(sign) filter (where status = 'held'), 0) as row_count,
          coalesce(sum(sign * byte_count::bigint) filter (where status = 'held'), 0) as byte_count,
          coalesce(sum(sign) filter (where status = 'dismissed'), 0) as dismissed_row_count,
          coalesce(sum(sign * byte_count::bigint) filter (where status = 'dismissed'), 0) as dismissed_byte_count
        from (${changes}) as changed
        group by is_keyed, reason
        order by is_keyed, reason
      loop
        update held_count set
          row_count = held_count.row_count + change.row_count,
          byte_count = held_count.byte_count + change.byte_count,
          dismissed_row_count = held_count.dismissed_row_count + change.dismissed_row_count,
          dismissed_byte_count = held_count.dismissed_byte_count + change.dismissed_byte_count
        where is_keyed = change.is_keyed and reason = change.reason;
      end loop;
      return null;
    end $$`),
    sql.raw(`create trigger held_output_count_${event} after ${event} on held_output
    ${referencing} for each statement execute function count_held_output_${event}()`),
  ];
}
