import type { TestStores } from './open-test-stores.ts';

/**
 * Rows that lack their counterpart where no foreign key sees it: what is unfinished stands in its queue, once, and nothing
 * else does; and what is about a request or a delivery names the account that it has.
 */
export const orphans = ({ sql }: Pick<TestStores, 'sql'>) =>
  sql<{ what: string }>(
    `select 'request without queue ' || id as what from request
       where outcome = 'none' and not exists (select from work_queue where request_id = id)
     union all select 'queue of a finished request ' || id from request
       where outcome <> 'none' and exists (select from work_queue where request_id = id)
     union all select 'queue of another account ' || request_id from work_queue q join request on id = request_id
       where q.account_id <> request.account_id or q.payer_id <> request.payer_id
     union all select 'delivery without queue ' || id from delivery
       where status = 'pending' and not exists (select from delivery_queue where delivery_id = id)
     union all select 'queue of a finished delivery ' || id from delivery
       where status <> 'pending' and exists (select from delivery_queue where delivery_id = id)
     union all select 'delivery queue of another ' || delivery_id from delivery_queue q join delivery d on id = delivery_id
       where (q.request_id, q.account_id, q.destination_host) is distinct from (d.request_id, d.account_id, d.destination_host)
     union all select 'delivery of another account ' || d.id from delivery d join request on request.id = d.request_id
       where d.account_id <> request.account_id
     union all select 'attempt of another account ' || request_id from verification_attempt a join request on id = request_id
       where a.account_id <> request.account_id`,
  );
