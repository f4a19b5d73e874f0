import type { TestStores } from './open-test-stores.ts';

/**
 * Keeps autovacuum from summarizing what is added to a month: the server counts each summary of 32 pages as one reading of
 * the whole table.
 */
export const withoutSummaries = ({ sql }: Pick<TestStores, 'sql'>) =>
  sql(`do $$
    declare name text;
    begin
      for name in select indexrelid::regclass from pg_index join pg_class on pg_class.oid = indexrelid
        where relkind = 'i' and relam = (select oid from pg_am where amname = 'brin')
      loop
        execute format('alter index %s set (autosummarize = off)', name);
      end loop;
    end $$`);
