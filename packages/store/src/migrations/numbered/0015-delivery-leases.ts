import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createIndex, type OnlineMigration } from '../online/online-migration.ts';

/** Whether whoever writes `delivery` leaves its row in the queue to the triggers. */
const LEFT_TO_TRIGGERS = `current_setting('ivs.keeps_queue', true) is distinct from 'on'`;

/** The queue's row of the delivery as it was: an access by the queue's primary key. */
const ITS_PLACE = `destination_host = old.destination_host and account_id = old.account_id
  and run_at = old.run_at and delivery_id = old.id`;

const statements = [
  // Who is sending what: in the wide row of a delivery a claim wrote some 400 bytes anew, and in the queue 200. No column
  // is named as one of `delivery`: processes of before join the two, and say some without the table's name.
  sql`alter table delivery_queue
    add column lease uuid,
    add column leased_since timestamptz,
    add column leased_until timestamptz,
    add column claims integer not null default 0`,
  // Room in each page for a claim, some renewals and a release, which are then written there alone (HOT).
  sql`alter table delivery_queue set (fillfactor = 50)`,

  sql.raw(`create or replace function delivery_queued() returns trigger language plpgsql as $$
  begin
    insert into delivery_queue (destination_host, account_id, run_at, delivery_id, lease, leased_since, leased_until,
      claims)
    select destination_host, account_id, run_at, id, lease_token, leased_at, lease_until, claim_count
    from new_row where done_at is null;
    return null;
  end $$`),
  sql`drop trigger delivery_queued on delivery`,
  sql.raw(`create trigger delivery_queued after insert on delivery
  referencing new table as new_row for each statement
  when (${LEFT_TO_TRIGGERS}) execute function delivery_queued()`),

  // Processes of the version before lease in the delivery's own row. Such a lease is copied into the queue. It comes to
  // nothing when a newer process holds the row: nobody waits for that one, since it may in turn wait for the delivery.
  // One from before this migration is not there yet.
  sql.raw(`create or replace function delivery_moved() returns trigger language plpgsql as $$
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
        leased_until, claims)
      values (new.destination_host, new.account_id, new.run_at, new.id, new.lease_token, new.leased_at,
        new.lease_until, new.claim_count);
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
  end $$`),
  sql`drop trigger delivery_moved on delivery`,
  sql.raw(`create trigger delivery_moved before update on delivery for each row
  when ((old.done_at is null or new.done_at is null)
    and (old.done_at, old.run_at, old.lease_token, old.lease_until, old.claim_count)
      is distinct from (new.done_at, new.run_at, new.lease_token, new.lease_until, new.claim_count)
    and ${LEFT_TO_TRIGGERS})
  execute function delivery_moved()`),
];

/**
 * Takes leases out of the wide rows of deliveries into the queue, whose rows live only as long as a delivery is
 * unfinished.
 */
export const deliveryLeases: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};

/** By id, as whoever holds a lease names it; and the leases of before, which from here on the triggers keep. */
export const deliveryLeasesOfBefore: OnlineMigration = {
  steps: [
    createIndex('delivery_queue_delivery', 'delivery_queue (delivery_id)'),
    async ({ client }) => {
      const { rows } = await client.query<{ ids: string[] }>(
        `select coalesce(array_agg(delivery_id), '{}') as ids
         from delivery_queue join delivery on delivery.id = delivery_id
         where delivery.lease_token is not null or delivery.claim_count > 0`,
      );
      await client.query(
        `with leased as (
          select * from delivery where id = any ($1) and done_at is null order by id for no key update
        )
        update delivery_queue queued set lease = leased.lease_token, leased_since = leased.leased_at,
          leased_until = leased.lease_until, claims = leased.claim_count
        from leased where queued.delivery_id = leased.id`,
        [rows[0]?.ids],
      );
    },
  ],
};
