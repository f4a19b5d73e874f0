import type { TestStores } from './open-test-stores.ts';

/**
 * Rows that name one which is not there, and deliveries of the same result. What foreign keys and a unique one refused
 * until tables were divided by months, in which a row cannot be looked for in all.
 */
export const orphans = ({ sql }: Pick<TestStores, 'sql'>) =>
  sql<{ what: string }>(
    `select 'result ' || request_id as what from result
       where not exists (select from request where id = result.request_id)
     union all select 'attempt ' || request_id from verification_attempt a
       where not exists (select from request where id = a.request_id)
     union all select 'exchange ' || request_id from x12_exchange x
       where not exists (select from request where id = x.request_id)
     union all select 'draft ' || request_id from draft
       where not exists (select from request where id = draft.request_id)
     union all select 'held ' || id from held_output h
       where request_id is not null and not exists (select from request where id = h.request_id)
     union all select 'delivery ' || id from delivery d
       where not exists (select from result r where r.request_id = d.request_id and r.version = d.version)
         or not exists (select from account where id = d.account_id)
     union all select 'delivery twice ' || request_id from delivery group by request_id, version having count(*) > 1
     union all select 'delivery attempt ' || delivery_id from delivery_attempt a
       where not exists (select from delivery where id = a.delivery_id)`,
  );
