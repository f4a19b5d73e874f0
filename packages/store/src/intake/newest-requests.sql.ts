import type { Outcome } from '@insurance-verification/schema';
import { BY_INDEX_ALONE } from '../functions/by-index-alone.ts';
import { databaseFunction } from '../functions/database-function.ts';

/** The groups of finished requests, by two columns of an index. */
export const FINISHED = (['complete', 'error_verifying'] as const satisfies Outcome[]).flatMap((outcome) =>
  [false, true].map((undelivered) => ({ name: `${outcome} ${undelivered}`, outcome, undelivered })),
);

const walk = ({ name, outcome, undelivered }: (typeof FINISHED)[number]) => `(select id from request
          where '${name}' = any (groups) and account_id between of_account and of_account
            and outcome = '${outcome}' and undelivered = ${undelivered} and id >= bottom and id < ceiling
          order by account_id, id desc limit rows_max)`;

/**
 * See `newestIds`. One index walk per group of stored facts, merged by newest: each reads only its own rows, however many
 * requests other accounts or states have. Also ordered by the account, because the planner might otherwise read
 * everybody's newest by the primary key in the hope of meeting the account's.
 *
 * From the newest months on: each floor begins another look, at the requests from it on, until there are enough. A walk of
 * all 24 months at once takes the first pages of each one's index, and took the database 6 ms of planning.
 */
export const newestRequestsFunction = databaseFunction(
  'newest_requests',
  (name) => `create function ${name}(
    of_account text, groups text[], with_pending boolean, floors text[], before_id text,
    rows_max integer
  ) returns text[] language plpgsql ${BY_INDEX_ALONE} as $$
  #variable_conflict use_column
  declare
    found_ids text[] := '{}';
    some_ids text[];
    ceiling text := before_id;
    bottom text;
  begin
    foreach bottom in array floors loop
      continue when bottom >= ceiling;
      select array_agg(id order by id desc) into some_ids from (
        select id::text collate "C" as id from (
          ${FINISHED.map(walk).join(' union all ')}
          union all
          (select request_id from work_queue
          where with_pending and account_id between of_account and of_account
            and request_id >= bottom and request_id < ceiling
          order by account_id desc, request_id desc limit rows_max)
        ) as walks
        order by id desc limit rows_max - cardinality(found_ids)
      ) as newest;
      found_ids := found_ids || coalesce(some_ids, '{}');
      exit when cardinality(found_ids) >= rows_max;
      ceiling := bottom;
    end loop;
    return found_ids;
  end $$`,
);
