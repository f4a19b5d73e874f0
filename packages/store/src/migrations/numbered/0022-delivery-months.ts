import { block, divideByMonth, dropConstraint, locking } from '../online/divide-by-month.ts';
import { createIndex, type OnlineMigration } from '../online/online-migration.ts';
import { AT_ONCE } from '../online/partitioned-index.ts';

/** The queue's row of the delivery as it was: an access by the queue's primary key. */
const ITS_PLACE = `destination_host = old.destination_host and account_id = old.account_id
  and run_at = old.run_at and delivery_id = old.id`;

/**
 * Deliveries become one table per month, the month of their request: what is about a request goes with it, also when it
 * was sent months later, and no result has two deliveries, since the key of each month holds both of its columns.
 *
 * The queue names the request besides, so that a claim knows the month before it reads a delivery. Rows that processes of
 * the version before write do not: a claim looks these few up.
 */
export const deliveryMonths: OnlineMigration = {
  steps: [
    // Not named as a column of `delivery`: processes of before join the two, and say some without the table's name.
    block(`begin
      ${AT_ONCE};
      alter table delivery_queue add column if not exists of_request issued_id;
    end`),
    block(`begin
      create or replace function delivery_queued() returns trigger language plpgsql as $function$
      begin
        insert into delivery_queue (destination_host, account_id, run_at, delivery_id, lease, leased_since, leased_until,
          claims, of_request)
        select destination_host, account_id, run_at, id, lease_token, leased_at, lease_until, claim_count, request_id
        from new_row where done_at is null;
        return null;
      end $function$;
      create or replace function delivery_moved() returns trigger language plpgsql as $function$
      declare
        is_leased_here boolean := old.lease_token is not null or new.lease_token is not null;
      begin
        if old.done_at is null and is_leased_here and new.status <> 'superseded' then
          perform from delivery_queue
          where ${ITS_PLACE} and case when new.lease_token is null or new.lease_token = old.lease_token
            then coalesce(lease, old.lease_token) = old.lease_token
            else leased_until is null or leased_until <= now() end
          for update skip locked;
          if not found then
            return null;
          end if;
        end if;
        if old.done_at is not null and new.done_at is null then
          insert into delivery_queue (destination_host, account_id, run_at, delivery_id, lease, leased_since,
            leased_until, claims, of_request)
          values (new.destination_host, new.account_id, new.run_at, new.id, new.lease_token, new.leased_at,
            new.lease_until, new.claim_count, new.request_id);
        elsif new.done_at is not null then
          delete from delivery_queue where ${ITS_PLACE};
        elsif is_leased_here then
          update delivery_queue set run_at = new.run_at, lease = new.lease_token, leased_since = new.leased_at,
            leased_until = new.lease_until, claims = new.claim_count
          where ${ITS_PLACE};
        else
          update delivery_queue set run_at = new.run_at where ${ITS_PLACE};
        end if;
        return new;
      end $function$;
    end`),
    // With a table of each month it would lock the accounts, for which intake would wait. An account is never removed.
    dropConstraint('delivery', 'delivery_account_id_fkey'),
    createIndex('delivery_id', 'delivery (id, request_id)'), // in place of the key, which lacks the request
    createIndex('delivery_key', 'delivery (request_id, version)', 'unique index'),
    block(`begin
      if to_regclass('delivery_key') is null then return; end if;
      ${locking('delivery')};
      alter table delivery drop constraint delivery_pkey, drop constraint delivery_request_id_version_key,
        add constraint delivery_pkey primary key using index delivery_key;
    end`),
    ...divideByMonth({ table: 'delivery', key: 'request_id', prefix: 'req' }),
  ],
};
