import type { StandingHold } from '@insurance-verification/schema';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../tables/tables.ts';

/** What holds may cover: a request, and with it its account; or an account as a whole. */
interface Covered {
  readonly accountId: string;
  readonly requestId: string | null;
}

/** The holds that stand on a request or its account, the oldest first; without a request those on the whole account. */
export async function standingHolds(
  db: Kysely<Tables>,
  { accountId, requestId }: Covered,
): Promise<StandingHold[]> {
  const rows = await db
    .selectFrom('legal_hold')
    .select(['id', 'request_id', 'placed_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(request_id is null or request_id = ${requestId})`)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    hold_id: row.id,
    covers: row.request_id === null ? 'account' : 'request',
    placed_at: row.placed_at.toISOString(),
  }));
}

/** Whether a hold stands on all of an account: a condition on the column that holds it. */
export const isAccountHeld = (column: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from legal_hold hold
  where hold.account_id = ${sql.ref(column)} and hold.request_id is null and hold.ended_at is null)`;

/** Whether a hold stands on a request: a condition on the columns that hold its account and its id. */
export const isRequestHeld = (account: string, request: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from legal_hold hold
  where hold.account_id = ${sql.ref(account)} and hold.ended_at is null
    and (hold.request_id is null or hold.request_id = ${sql.ref(request)}))`;
