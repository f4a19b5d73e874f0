import { block, divideByMonth, dropConstraint, locking } from '../online/divide-by-month.ts';
import { createIndex, type OnlineMigration, type OnlineStep } from '../online/online-migration.ts';

/** Before PostgreSQL 17 a partition has no identity column. */
async function numberBySequence(ground: Parameters<OnlineStep>[0]): Promise<void> {
  await block(`declare one record;
  begin
    if (select attidentity from pg_attribute where attrelid = 'access_log'::regclass and attname = 'id') = '' then
      return;
    end if;
    ${locking('access_log')};
    create sequence access_log_id as bigint;
    perform setval('access_log_id', (select coalesce(max(id), 0) + 1 from access_log), false);
    alter table access_log alter column id drop identity;
    alter table access_log alter column id set default nextval('access_log_id');
    for one in select grantee from pg_class, aclexplode(relacl)
      where oid = 'access_log'::regclass and privilege_type = 'INSERT' and grantee <> relowner
    loop
      execute format('grant usage on sequence access_log_id to %s',
        case when one.grantee = 0 then 'public' else one.grantee::regrole::text end);
    end loop;
  end`)(ground);
}

/**
 * What is only added to becomes one table per month, so that a month is removed by removing its tables. Each table in
 * use becomes the first partition of a new one of its name, as it is: a check that was validated beside its use spares
 * the scan, and its indexes become parts of the new table's.
 *
 * Keys are ids, which hold their time: a row is found in one partition by the id that everything names it by.
 *
 * No default partition: beside one, none can be detached without locking out everyone. The last partition has no upper
 * bound instead, and `makeMonths` divides it long before its time comes.
 */
export const months: OnlineMigration = {
  steps: [
    // Those that name a monthly table would look through every partition before one is detached; those of a monthly table
    // would lock the one that they name, for which intake would wait. What each held is held by the statement that writes
    // the row: it reads or writes the row that is named under the request's lock.
    ...[
      ['held_output', 'held_output_request_id_fkey'],
      ['verification_attempt', 'verification_attempt_request_id_fkey'],
      ['x12_exchange', 'x12_exchange_request_id_fkey'],
      ['delivery_attempt', 'delivery_attempt_delivery_id_fkey'],
      ['delivery', 'delivery_request_id_version_fkey'],
      ['result', 'result_request_id_fkey'],
    ].map(([table = '', name = '']) => dropConstraint(table, name)),
    createIndex('access_log_line', 'access_log (id)'), // in place of the key, which lacks the time
    numberBySequence,
    ...[
      { table: 'result', key: 'request_id', prefix: 'req' },
      { table: 'verification_attempt', key: 'request_id', prefix: 'req' },
      { table: 'x12_exchange', key: 'request_id', prefix: 'req' },
      { table: 'delivery_attempt', key: 'delivery_id', prefix: 'msg' },
      { table: 'access_log', key: 'at', prefix: null },
    ].flatMap(divideByMonth),
  ],
};
