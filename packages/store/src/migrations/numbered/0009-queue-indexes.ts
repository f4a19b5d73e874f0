import {
  createIndex,
  dropIndex,
  inBatches,
  type OnlineMigration,
  validateConstraint,
} from '../online/online-migration.ts';

/**
 * Moves the unfinished rows of before into the queues, and replaces the indexes that the queues make needless. Each batch
 * locks its rows, so that none changes between its reading and its place in the queue. No released version reads by the
 * dropped indexes.
 */
export const queueIndexes: OnlineMigration = {
  steps: [
    inBatches(
      'request',
      `with batch as (
        select * from request where outcome = 'none' and id > $1 and id <= $2 order by id limit 5000 for no key update
      ), queued as (
        insert into work_queue (account_id, request_id, pool, payer_id, channel, due_at, leased_until, channel_until,
          attempt_count)
        select account_id, id,
          case when not sandbox then 'live' when open_to_test_verifiers then 'test' else 'sandbox' end,
          payer_id, channel, greatest(work_due_at, lease_until), lease_until, channel_until, channel_attempt_count
        from batch on conflict do nothing
      )
      select max(id) as last from batch`,
    ),
    inBatches(
      'delivery',
      `with batch as (
        select * from delivery where done_at is null and id > $1 and id <= $2 order by id limit 5000 for no key update
      ), queued as (
        insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
        select destination_host, account_id, run_at, id from batch on conflict do nothing
      )
      select max(id) as last from batch`,
    ),
    inBatches(
      'request',
      `with batch as (
        select id from request where delivery = 'exhausted' and not undelivered and id > $1
        and id <= $2 order by id limit 5000 for no key update
      ), derived as (
        update request set undelivered = true from batch where request.id = batch.id
      )
      select max(id) as last from batch`,
    ),
    inBatches(
      'delivery',
      `with batch as (
        select id from delivery where status = 'exhausted' and exhausted_at is null and id > $1
        and id <= $2 order by id limit 5000 for no key update
      ), derived as (
        update delivery set exhausted_at = done_at from batch where delivery.id = batch.id
      )
      select max(id) as last from batch`,
    ),
    validateConstraint('request', 'request_delivers_outcome'),
    createIndex(
      'request_listed',
      `request (account_id, outcome, undelivered, id desc) where outcome <> 'none'`,
    ),
    createIndex(
      'delivery_exhausted_at',
      'delivery (account_id, exhausted_at) where exhausted_at is not null',
    ),
    ...[
      'request_newest',
      'request_state',
      'request_open',
      'request_finished',
      'request_work',
      'request_leased',
      'request_channel_until',
      'request_channel_over',
      'request_sandbox',
      'delivery_due',
      'delivery_exhausted',
    ].map(dropIndex),
  ],
};
