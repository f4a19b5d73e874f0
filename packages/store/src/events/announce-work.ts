import type { VerificationSource } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import type { SubscriptionArguments } from '../tables/delivery.ts';
import type { Route } from '../tables/intake.ts';
import { countClaimable } from '../verification/work/claim-work.ts';
import { makeEvent, writeEvents } from './write-event.ts';

/** At most one event of a payer and channel in so many seconds, for each subscription. */
const QUIET_SECONDS = 10;

/** Work that waits unclaimed is announced again after so many seconds: the agent that was woken may have ended. */
const AGAIN_SECONDS = 60;

interface WorkAnnouncement {
  readonly routes: readonly Route[];
  /** The payers' names, by id. */
  readonly nameOf: (payerId: string) => string;
  /** The channels that agents work. */
  readonly channels: readonly VerificationSource[];
}

interface Noticed {
  readonly endpointId: string;
  readonly accountId: string;
  readonly payerId: string;
  readonly payer: string;
  readonly channel: string;
  readonly count: number;
  readonly oldestSeconds: number;
}

interface DueNotice extends Pick<Noticed, 'endpointId' | 'payerId' | 'channel'> {
  readonly at: Date;
}

/**
 * Writes `work.available` for the subscriptions whose key could claim something that no event announced yet. Any process
 * may call it at any time; a subscription gets none while one is still on its way to it.
 * @returns `subscriptionCount`, and `eventCount`: how many were written.
 */
export async function announceWork(
  store: Store,
  { routes, nameOf, channels }: WorkAnnouncement,
): Promise<{ readonly subscriptionCount: number; readonly eventCount: number }> {
  const subscriptions = await readSubscriptions(store);
  const counted = new Map<string, ReturnType<typeof countClaimable>>();
  const count = (caller: Caller, asked: readonly VerificationSource[]) => {
    const name = JSON.stringify([caller.mode, caller.verifyWithin, asked]);
    const counting = counted.get(name) ?? countClaimable(store, { caller, routes, channels: asked });
    counted.set(name, counting);
    return counting;
  };
  const noticed: Noticed[] = [];
  for (const { endpointId, caller, wanted } of subscriptions) {
    const claimable = await count(caller, wanted.channel === undefined ? channels : [wanted.channel]);
    for (const { payerId, channel, count: claimableCount, oldestSeconds } of claimable) {
      const payer = nameOf(payerId);
      if (claimableCount === 0 || oldestSeconds === null || (wanted.payer ?? payer) !== payer) continue;
      noticed.push({
        endpointId,
        accountId: caller.accountId,
        payerId,
        payer,
        channel,
        count: claimableCount,
        oldestSeconds,
      });
    }
  }
  const eventCount = noticed.length === 0 ? 0 : await writeNoticed(store, noticed);
  return { subscriptionCount: subscriptions.length, eventCount };
}

async function writeNoticed({ db, vault }: Store, noticed: readonly Noticed[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<DueNotice>`
      with asked as (
        select * from jsonb_to_recordset(${JSON.stringify(noticed)}::jsonb) as asked (
          "endpointId" text, "payerId" text, channel text, count integer, "oldestSeconds" float8)
      )
      insert into work_notice as known (endpoint_id, payer_id, channel, at, count, waiting_since)
      select "endpointId", "payerId", channel, now(), count, now() - make_interval(secs => "oldestSeconds")
      from asked where not exists (
        select from delivery where delivery.endpoint_id = asked."endpointId" and delivery.done_at is null)
      order by "endpointId", "payerId", channel
      on conflict (endpoint_id, payer_id, channel) do update
      set at = excluded.at, count = excluded.count, waiting_since = excluded.waiting_since
      where known.at <= now() - make_interval(secs => ${QUIET_SECONDS}) and (
        excluded.count > known.count or excluded.waiting_since > known.at
        or known.at <= now() - make_interval(secs => ${AGAIN_SECONDS}))
      returning endpoint_id as "endpointId", payer_id as "payerId", channel, at`.execute(trx);
    const due = new Map(rows.map((row) => [placeOf(row), row.at]));
    const events = noticed.flatMap((one) => {
      const occurredAt = due.get(placeOf(one));
      if (!occurredAt) return [];
      const { endpointId, accountId, payer, channel, count } = one;
      const data = { payer, channel, count };
      const about = { accountId, subjectId: endpointId, onlyEndpointId: endpointId };
      return makeEvent(vault, { type: 'work.available', ...about, data, occurredAt });
    });
    await writeEvents(trx, events);
    return events.length;
  });
}

const placeOf = ({ endpointId, payerId, channel }: Pick<Noticed, 'endpointId' | 'payerId' | 'channel'>) =>
  JSON.stringify([endpointId, payerId, channel]);

interface WorkSubscription {
  readonly endpointId: string;
  readonly caller: Caller;
  readonly wanted: SubscriptionArguments;
}

/** The live subscriptions to `work.available`, each with what its key may claim now. */
async function readSubscriptions({ db, vault }: Store): Promise<readonly WorkSubscription[]> {
  const rows = await db
    .selectFrom('webhook_endpoint as endpoint')
    .innerJoin('api_key', 'api_key.id', 'endpoint.key_id')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['endpoint.id', 'endpoint.wanted', 'endpoint.key_id'])
    .select([coveredOf('api_key').as('key'), coveredOf('account').as('account')])
    .where('endpoint.expires_at', '>', sql<Date>`now()`)
    .where('endpoint.ended_at', 'is', null)
    .where(sql<boolean>`'work.available' = any (endpoint.types)`)
    .execute();
  return rows.flatMap(({ id, wanted, key_id, key, account }): WorkSubscription[] => {
    const own = vault.macs.open('api_key', key);
    const owner = vault.macs.open('account', account);
    // What ended or was altered claims nothing.
    const isLive = own?.id === key_id && own.revoked_at === null && own.scopes.includes('verify');
    if (!isLive || owner?.id !== own.account_id || owner.suspended_at !== null) return [];
    if (own.expires_at !== null && own.expires_at.getTime() <= Date.now()) return [];
    const { account_id: accountId, verify_within: verifyWithin } = own;
    const caller = { keyId: own.id, accountId, mode: owner.mode, ...(verifyWithin && { verifyWithin }) };
    return [{ endpointId: id, caller, wanted: wanted ?? {} }];
  });
}
