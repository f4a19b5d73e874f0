import type { VerificationSource } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Store } from '../../../open-store.ts';
import type { Route } from '../../../tables/route.ts';

/** Seconds since its last claim during which a channel counts as attended. */
export const ATTENDED_SECONDS = 600;

/** Seconds by which a record may lie in the future; a later one is of a time before the clock was set back. */
const CLOCK_SECONDS = 5;

/** Seconds between two records of a channel's attendance. */
const NOTE_SECONDS = 60;

export type IsAttended = (payerId: string, channel: VerificationSource) => boolean;

/** Which channels are attended. */
export async function readAttendance(store: Store, routes: readonly Route[]): Promise<IsAttended> {
  if (!routes.some((route) => route.skipsUnattended)) return () => true;
  const ageOf = await readAges(store);
  return (payerId, channel) => ageOf(payerId, channel) <= ATTENDED_SECONDS;
}

/** Records that somebody works these channels; returns which channels are attended. */
export async function noteAttendance(
  store: Store,
  routes: readonly Route[],
  channels: ReadonlySet<VerificationSource>,
): Promise<IsAttended> {
  const skipping = routes.filter((route) => route.skipsUnattended);
  if (skipping.length === 0) return () => true;
  const ageOf = await readAges(store);
  const stale = skipping.flatMap(({ payerId, channels: ofRoute }) =>
    ofRoute
      .filter(({ source }) => channels.has(source) && ageOf(payerId, source) > NOTE_SECONDS)
      .map(({ source }) => ({ payer_id: payerId, channel: source })),
  );
  if (stale.length > 0) {
    await store.db
      .insertInto('channel_attendance')
      // In a fixed order, so that two first claims cannot deadlock.
      .values(stale.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
      .onConflict((conflict) =>
        conflict.columns(['payer_id', 'channel']).doUpdateSet({ claimed_at: sql`now()` }),
      )
      .execute();
  }
  return (payerId, channel) => ageOf(payerId, channel) <= ATTENDED_SECONDS;
}

/** Seconds since each channel was last claimed from; infinite where nobody did, or a clock was set back since. */
async function readAges({ db }: Store): Promise<(payerId: string, channel: VerificationSource) => number> {
  const rows = await db
    .selectFrom('channel_attendance')
    .select(['payer_id', 'channel'])
    .select(sql<number>`extract(epoch from now() - claimed_at)::float8`.as('age'))
    .execute();
  return (payerId, channel) => {
    const age = rows.find((row) => row.payer_id === payerId && row.channel === channel)?.age ?? Infinity;
    return age < -CLOCK_SECONDS ? Infinity : age;
  };
}

function placeOf({ payer_id, channel }: { payer_id: string; channel: string }): string {
  return `${payer_id}\0${channel}`;
}
