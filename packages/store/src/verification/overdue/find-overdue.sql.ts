import { databaseFunction } from '../../functions/database-function.ts';

/**
 * The latest time at which a request that has waited since then has had its seconds of a payer's API: those in which the
 * payer did not answer do not count; null while it does not.
 */
export const askedBeforeFunction = databaseFunction(`
  create function asked_before(of_payer text, seconds_max float8) returns timestamptz language plpgsql stable as $$
  declare
    at timestamptz := now() - make_interval(secs => seconds_max);
    outage record;
  begin
    for outage in select since, coalesce(ended_at, 'infinity') as ended_at from payer_outage where payer_id = of_payer order by since desc
    loop
      if outage.ended_at > now() then return null; end if;
      exit when outage.ended_at <= at;
      at := at - (outage.ended_at - outage.since);
    end loop;
    return at;
  end $$`);

/**
 * Finds overdue requests: those whose lease lapsed, or was taken before the clock was set back; those whose time in
 * their channel is over, for payers with a route; and those unclaimed for longer than the first channel of their
 * route allows, without the time in which its payer did not answer.
 *
 * The last group is searched account by account, since an account with a backlog must not hide the others: one probe
 * for each payer and account that has requests waiting. A call probes `accounts_max` of them and returns where the
 * next call continues, so a poll costs the same with a thousand accounts as with a million.
 *
 * `has_late` is whether `writeOverdueEvents` has anything to write: a statement less for each poll.
 *
 * As a plain statement, planned each time, the search for leases read the whole table until it was first analyzed: 98
 * ms at 230,000 rows, at every poll.
 */
export const findOverdueFunction = databaseFunction(
  `
  create function find_overdue(
    payer_ids text[], entry_seconds float8[], rows_max integer, account_rows_max integer, accounts_max integer,
    inout after_payer text, inout after_slot integer, inout after_account text, out ids text[], out has_late boolean
  ) language plpgsql
  set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
  declare
    entry record;
    seen record;
    due timestamptz;
    accounts_left integer := accounts_max;
  begin
    has_late := exists (select from request
      where needed_by <= now() and needed_by is not null and outcome = 'none' and overdue_at is null and erased_at is null);
    ids := array(
      with recursive payer as (
        (select payer_id from work_queue where leased_until is not null order by payer_id, leased_until limit 1)
        union all
        select next.payer_id from payer cross join lateral (
          select payer_id from work_queue where leased_until is not null and payer_id > payer.payer_id
          order by payer_id, leased_until limit 1
        ) as next
      )
      select lapsed.request_id from payer cross join lateral (
        select request_id from work_queue
        where payer_id = payer.payer_id and leased_until is not null and leased_until <= now()
        order by leased_until limit rows_max
      ) as lapsed
      limit rows_max);
    ids := ids || array(
      select request_id from work_queue where leased_at > now() + interval '5 seconds' order by leased_at limit rows_max);
    ids := ids || array(
      select overdue.request_id from unnest(payer_ids) as route (payer_id) cross join lateral (
        select request_id from work_queue
        where payer_id = route.payer_id and channel_until <= now() and leased_until is null
        order by channel_until limit rows_max
      ) as overdue
      limit rows_max);

    for entry in
      select * from unnest(payer_ids, entry_seconds) as one (payer_id, seconds_max)
      where after_payer is null or payer_id collate "C" >= after_payer order by payer_id collate "C"
    loop
      if entry.payer_id is distinct from after_payer then
        after_payer := entry.payer_id;
        after_slot := -2147483648;
        after_account := '';
      end if;
      due := asked_before(entry.payer_id, entry.seconds_max);
      continue when due is null;
      with recursive walk as (
        (select hashtext(account_id) as slot, account_id, waits_since from work_queue
        where pool = 'live' and channel = 'entry' and payer_id = entry.payer_id
          and (hashtext(account_id), account_id) > (after_slot, after_account)
        order by hashtext(account_id), account_id, waits_since limit 1)
        union all
        select head.* from walk cross join lateral (
          select hashtext(account_id) as slot, account_id, waits_since from work_queue
          where pool = 'live' and channel = 'entry' and payer_id = entry.payer_id
            and (hashtext(account_id), account_id) > (walk.slot, walk.account_id)
          order by hashtext(account_id), account_id, waits_since limit 1
        ) as head
      ), head as materialized (
        select *, due as due_before
        from walk limit accounts_left
      ), found as materialized (
        select head.slot, head.account_id, overdue.request_id from head cross join lateral (
          select request_id from work_queue
          where pool = 'live' and channel = 'entry' and payer_id = entry.payer_id
            and hashtext(account_id) = head.slot and account_id = head.account_id and waits_since <= head.due_before
          order by waits_since limit account_rows_max
        ) as overdue
        where head.waits_since <= head.due_before
        limit rows_max
      )
      select last.*, (select count(*)::integer from head) as account_count, array(select request_id from found) as ids
      into seen
      from (select) as always left join lateral (
        select slot, account_id from (
          select slot, account_id from found where (select count(*) from found) = rows_max
          union all
          select slot, account_id from head where (select count(*) from found) < rows_max
        ) as looked_at
        order by slot desc, account_id desc limit 1
      ) as last on true;
      ids := ids || seen.ids;
      accounts_left := accounts_left - seen.account_count;
      if accounts_left = 0 or cardinality(seen.ids) = rows_max then
        after_slot := seen.slot;
        after_account := seen.account_id;
        return;
      end if;
    end loop;
    after_payer := null;
  end $$`,
  askedBeforeFunction,
);
