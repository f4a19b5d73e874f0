import { sql } from 'kysely';
import type { Store } from './open-store.ts';

/** Days that a held output is kept, settled or not. */
const HELD_OUTPUT_DAYS = 30;

/** Hours that an `Idempotency-Key` is remembered; the promise is 24 at least. */
const IDEMPOTENCY_KEY_HOURS = 48;

/** Days that the evidence of an inquiry to a payer is kept: a year of reports, and a month to read the last one. */
const X12_EXCHANGE_DAYS = 400;

/** Removes what has outlived its promise. Any process may call it at any time. */
export async function removeExpired({ db }: Store): Promise<void> {
  await db
    .deleteFrom('held_output')
    .where('received_at', '<', sql<Date>`now() - make_interval(days => ${HELD_OUTPUT_DAYS})`)
    .execute();
  await db
    .deleteFrom('idempotency_key')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS})`)
    .execute();
  await db
    .deleteFrom('earlier_webhook_secret')
    .where('valid_until', '<', sql<Date>`now()`)
    .execute();
  await db
    .deleteFrom('x12_exchange')
    .where('started_at', '<', sql<Date>`now() - make_interval(days => ${X12_EXCHANGE_DAYS})`)
    .execute();
}
