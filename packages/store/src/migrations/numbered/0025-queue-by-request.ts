import { block } from '../online/divide-by-month.ts';
import { createIndex, dropIndex, type OnlineMigration } from '../online/online-migration.ts';
import { AT_ONCE } from '../online/partitioned-index.ts';

/** Whether whoever updates `request` leaves its row in the queue to the trigger. */
const LEFT_TO_TRIGGER = `current_setting('ivs.keeps_queue', true) is distinct from 'on'`;

const POOL = `case when not new.sandbox then 'live' when new.open_to_test_verifiers then 'test' else 'sandbox' end`;

/**
 * What looks up rows by their request finds one index to do it by. While few rows are there, every index that knows one of
 * its columns costs the planner the same, and a plan stays until the next analyze: by the queue's order a change read all
 * that waits, and by the ends of attempts a result read all that are open. A partial index serves only those who state its
 * condition: who walks the queue names a pool, and who asks for a time does not ask for null, also in the version before.
 */
export const queueByRequest: OnlineMigration = {
  steps: [
    createIndex(
      'work_queue_order',
      `work_queue (pool, payer_id, channel, hashtext(account_id), account_id, due_at) where pool is not null`,
    ),
    dropIndex('work_queue_next'),
    createIndex('verification_attempt_over', 'verification_attempt (ended_at) where ended_at is not null'),
    dropIndex('verification_attempt_ended'),
    // The functions that lease and finish many requests write the queue by one statement for all.
    block(`begin
      create or replace function request_moved() returns trigger language plpgsql
      set plan_cache_mode to force_generic_plan set enable_seqscan to off as $function$
      begin
        if new.outcome <> 'none' then
          delete from work_queue where account_id = new.account_id and request_id = new.id;
          return null;
        end if;
        insert into work_queue (account_id, request_id, pool, payer_id, channel, due_at, leased_until, channel_until,
          attempt_count)
        values (new.account_id, new.id, ${POOL}, new.payer_id, new.channel, greatest(new.work_due_at, new.lease_until),
          new.lease_until, new.channel_until, new.channel_attempt_count)
        on conflict (account_id, request_id) do update set pool = excluded.pool, channel = excluded.channel,
          due_at = excluded.due_at, leased_until = excluded.leased_until, channel_until = excluded.channel_until,
          attempt_count = excluded.attempt_count;
        return null;
      end $function$;
      ${AT_ONCE};
      create or replace trigger request_moved after update on request for each row
      when (${LEFT_TO_TRIGGER} and (old.outcome = 'none' or new.outcome = 'none')
        and (old.outcome, old.channel, old.work_due_at, old.lease_until, old.channel_until, old.channel_attempt_count,
          old.open_to_test_verifiers)
        is distinct from (new.outcome, new.channel, new.work_due_at, new.lease_until, new.channel_until,
          new.channel_attempt_count, new.open_to_test_verifiers))
      execute function request_moved();
    end`),
  ],
};
