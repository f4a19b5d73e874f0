import type { TestStores } from './open-test-stores.ts';

/**
 * Keeps autovacuum from summarizing what is added to a month, as it goes or when it vacuums the table: the server counts
 * each summary of 32 pages as one reading of the whole table.
 */
export const withoutSummaries = ({ sql }: Pick<TestStores, 'sql'>) =>
  sql(`do $$
    declare summarized record;
    begin
      for summarized in select indexrelid::regclass as index, indrelid::regclass as month
        from pg_index join pg_class on pg_class.oid = indexrelid
        where relkind = 'i' and relam = (select oid from pg_am where amname = 'brin')
      loop
        execute format('alter index %s set (autosummarize = off)', summarized.index);
        execute format('alter table %s set (autovacuum_enabled = off)', summarized.month);
      end loop;
    end $$`);
