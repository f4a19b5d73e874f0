import type { RequestSummary } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { accountNameOf } from '../../access/accounts/account-name.ts';
import { recordAccess } from '../../access/record-access.ts';
import { openOrNull } from '../../encryption/seal.ts';
import type { Store } from '../../open-store.ts';
import { directionOf, type Page } from '../../page.ts';
import { openShown } from './open-shown.ts';
import { mayMatch, type RequestSearch, residualConditions } from './request-search.ts';
import { CHANNEL_NOW, IS_OVERDUE, type RowSummary, type SummaryRow, toSummary } from './to-summary.ts';
import { walkRequests } from './walk-requests.ts';

/** Rows that one call reads for filters that no index serves, of each account where it goes from account to account. */
const SCAN_COUNT = 500;

export interface FoundRequests extends Page<RequestSummary> {
  readonly kind: 'found';
  /** The omitted requests, whose stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

/**
 * The requests within the caller's reach that match every criterion, of their patients the initials only. A page may be
 * short or empty before the last: behind rare matches a call reads a bounded number of rows, and large requests end it.
 * Each one shown is recorded.
 */
export async function searchRequests(store: Store, search: RequestSearch): Promise<FoundRequests> {
  const { found, next_cursor } = mayMatch(search) ? await readFound(store, search) : NOTHING;
  const listed = found.slice(0, search.limit);
  const opened = await openShown(
    store,
    search,
    listed.map(({ row }) => row.id),
  );
  const shown = listed.filter(({ row }) => opened.has(row.id));
  const items = shown.flatMap(({ row, summary }) => {
    const parts = opened.get(row.id);
    return summary && typeof parts === 'object' ? [{ ...summary, ...parts }] : [];
  });
  const unreadableIds = shown
    .filter(({ row, summary }) => summary === null || opened.get(row.id) === 'broken')
    .map(({ row }) => row.id);
  const requestIds = items.map((item) => item.request_id);
  await recordAccess(store.db, { caller: search.caller, operation: 'requests.search', requestIds });
  const cutAfter = shown.length < listed.length ? shown.at(-1)?.row.id : undefined;
  return { kind: 'found', items, next_cursor: cutAfter ?? next_cursor, unreadableIds };
}

/** A row, and null in place of its summary when that does not open. */
interface Found {
  readonly row: SummaryRow;
  readonly summary: RowSummary | null;
}

const NOTHING = { found: [], next_cursor: null };

async function readFound(
  store: Store,
  search: RequestSearch,
): Promise<{ readonly found: readonly Found[]; readonly next_cursor: string | null }> {
  const { limit, errorReason } = search;
  const conditions = residualConditions(search);
  const count = conditions.length > 0 ? Math.max(SCAN_COUNT, limit + 1) : limit + 1;
  // Reasons are sealed, so they are compared here, and all that were walked are read.
  const readCount = errorReason === undefined ? limit + 1 : count;
  const { rows: walked } = await sql<{
    id: string;
  }>`${await walkRequests(store, search, count)}`.execute(store.db);
  const ids = walked.map(({ id }) => id);
  const { rows: read } = await sql<SummaryRow>`
    select id, request.account_id, ${accountNameOf('request.account_id')} as account_name, request.payer_id, payer_name, received_at, outcome, outcome_reason, delivery,
      delivery_reason, ${CHANNEL_NOW} as channel, erased_at, erased_reason, request.needed_by, ${IS_OVERDUE} as is_overdue
    from request left join work_queue on work_queue.request_id = request.id
    where id = any (${ids})
      ${conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``}
    order by id ${directionOf(search)} limit ${readCount}`.execute(store.db);
  const opened = await Promise.all(
    read.map(async (row) => ({
      row,
      summary: await openOrNull(toSummary(store.vault, search.routes, row)),
    })),
  );
  const found = opened.filter(
    ({ summary }) => errorReason === undefined || summary === null || summary.error_reason === errorReason,
  );
  const cursorAfter =
    found.length > limit
      ? found[limit - 1]?.row.id
      : ids.length >= count && ids.toSorted().at(search.order === 'oldest' ? -1 : 0);
  return { found, next_cursor: cursorAfter || null };
}
