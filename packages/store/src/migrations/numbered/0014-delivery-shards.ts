import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The delivery workers that run, by the notifier of their process. Each renews its row; one that does not is dead.
  sql`create table delivery_worker (
    id uuid primary key,
    until timestamptz not null,
    account_room integer not null, -- attempts for one account that it may have under way
    is_leaving boolean not null
  )`,

  // Who calls which hosts, by the first byte of destination_host. Null: nobody, until a worker takes it.
  sql`create table delivery_shard (
    shard smallint primary key check (shard between 0 and 255),
    owner uuid references delivery_worker on delete set null
  ) with (fillfactor = 50)`,
  sql`insert into delivery_shard (shard) select generate_series(0, 255)`,
];

/** One delivery worker for each host, so that the caps for hosts and accounts hold for all processes together. */
export const deliveryShards: Migration = {
  up: async (db) => {
    for (const statement of statements) await statement.execute(db);
  },
};
