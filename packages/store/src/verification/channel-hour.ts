import { ERROR_REASONS, type VerificationSource } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../open-store.ts';

/** How the attempts of live requests at one channel of a payer ended within an hour. */
export interface ChannelHour {
  readonly payerId: string;
  readonly channel: VerificationSource;
  /** Attempts that ended with a result, or with a reason that the payer gave. */
  readonly reachedCount: number;
  /** Attempts that ended with a reason of the payer's or of this service, such as `payer_unavailable`. */
  readonly failedCount: number;
}

/** The reasons by which a channel itself did not work. */
const FAILINGS = Object.entries(ERROR_REASONS).flatMap(([reason, { fixedBy }]) =>
  fixedBy === 'payer' || fixedBy === 'us' ? [reason] : [],
);

/** The last hour of every channel that an attempt was made at. */
export async function readChannelHours({ db }: Store): Promise<ChannelHour[]> {
  const isFailing = sql<boolean>`a.outcome = 'failed' and a.error_reason = any(${FAILINGS})`;
  const rows = await db
    .selectFrom('verification_attempt as a')
    .innerJoin('account', 'account.id', 'a.account_id')
    .where('a.ended_at', '>', sql<Date>`now() - interval '1 hour'`)
    .where('a.outcome', 'in', ['succeeded', 'failed'])
    .where('a.channel', 'is not', null)
    .where('account.mode', '=', 'live')
    .groupBy(['a.payer_id', 'a.channel'])
    .select([
      'a.payer_id',
      'a.channel',
      sql<number>`count(*) filter (where not (${isFailing}))::int`.as('reached'),
      sql<number>`count(*) filter (where ${isFailing})::int`.as('failed'),
    ])
    .execute();
  return rows.flatMap(({ payer_id: payerId, channel, reached, failed }) =>
    channel === null ? [] : [{ payerId, channel, reachedCount: reached, failedCount: failed }],
  );
}
