import type { DeliverySummary } from '@insurance-verification/schema';
import { sql } from 'kysely';
import { recordAccess } from '../../access/record-access.ts';
import { and, LAST_ATTEMPT, mayMatch, residualConditions } from '../../delivery/delivery-filter.ts';
import { nextTry } from '../../delivery/receivers.ts';
import type { Store } from '../../open-store.ts';
import { directionOf, type Page, type PageOptions } from '../../page.ts';
import { NAMES, openSummary, type SummaryRow } from './open-summary.ts';
import { type DeliverySelection, walkDeliveries, passesOthers } from './walk-deliveries.ts';

export interface DeliverySearch extends DeliverySelection, PageOptions {}

/** Rows that one call reads for filters that no index serves, of each account where it goes from account to account. */
const SCAN_COUNT = 500;

/**
 * The deliveries within reach that match every filter, each with its last attempt. A page may be short or
 * empty before the last: behind rare matches a call reads a bounded number of rows. Each one shown is recorded.
 */
export async function searchDeliveries(store: Store, search: DeliverySearch): Promise<Page<DeliverySummary>> {
  const { rows, next_cursor } = mayMatch(search) ? await readRows(store, search) : NOTHING;
  const items = await Promise.all(rows.map((row) => openSummary(store.vault, row)));
  const requestIds = [...new Set(rows.map((row) => row.request_id))];
  await recordAccess(store.db, { caller: search.caller, operation: 'deliveries.list', requestIds });
  return { items, next_cursor };
}

const NOTHING = { rows: [], next_cursor: null };

interface Edge {
  readonly walked_count: number;
  readonly last_walked_id: string | null;
}

/** The aggregate that returns the last id of a walk. */
const lastOf = ({ order }: DeliverySearch) => (order === 'oldest' ? sql`max` : sql`min`);

type FoundRow = Edge & (SummaryRow | { readonly id: null });

async function readRows({ db, vault }: Store, search: DeliverySearch) {
  const { limit, status } = search;
  const conditions = residualConditions(vault, search);
  if (passesOthers(search)) conditions.push(sql<boolean>`delivery.status = ${status}`);
  const count = conditions.length > 0 ? Math.max(SCAN_COUNT, limit + 1) : limit + 1;
  const { rows } = await sql<FoundRow>`
    with walked as materialized (${walkDeliveries({ ...search, count })}),
    edge as (select count(*)::int as walked_count, ${lastOf(search)}(id) as last_walked_id from walked),
    matching as (
      select delivery.*, last.at as last_at, last.outcome as last_outcome, last.status_code as last_status_code,
        ${nextTry('queued.run_at')}
      from walked as delivery left join delivery_queue as queued on queued.delivery_id = delivery.id
        left join receiver on receiver.destination_host = queued.destination_host ${LAST_ATTEMPT}
      where ${and(conditions)} order by delivery.id ${directionOf(search)} limit ${limit + 1}
    )
    select edge.*, delivery.*, ${NAMES} from edge left join matching as delivery on true
    order by delivery.id ${directionOf(search)}`.execute(db);
  const found = rows.filter((row): row is Edge & SummaryRow => row.id !== null);
  const shown = found.slice(0, limit);
  const edge = rows[0];
  const cursorAfter =
    found.length > limit ? shown.at(-1)?.id : edge && edge.walked_count >= count && edge.last_walked_id;
  return { rows: shown, next_cursor: cursorAfter || null };
}
