import {
  type ErasedRequest,
  type RequestModel,
  type RequestState,
  type RequestStats,
  stateOf,
} from '@insurance-verification/schema';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { counting, within } from '../access/reach.ts';
import { recordAccess } from '../access/record-access.ts';
import { IS_LISTED } from '../delivery/delivery-filter.ts';
import { decryptOrNull } from '../encryption/encrypt.ts';
import type { Vault } from '../encryption/vault.ts';
import {
  erasedErrorReason,
  FINISHED,
  openRequestModel,
  requestModelColumns,
  type RequestModelRow,
} from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { type IdSpan, type Page, type PageOptions, readSizedPage } from '../page.ts';
import type { Tables } from '../tables/tables.ts';
import { newestRequestsFunction } from './newest-requests.sql.ts';
import { oldestRequestsFunction } from './oldest-requests.sql.ts';

interface RequestListOptions extends PageOptions {
  readonly caller: Caller;
  readonly state?: RequestState | undefined;
}

interface RequestPage extends Page<RequestModel> {
  /** The page's omitted requests, whose stored values do not open. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
  /** The page's requests whose data is gone. */
  readonly erased: ErasedRequest[];
}

/**
 * The account's requests, newest first. A request that does not open costs its own place, not the list; large requests
 * make a page shorter than requested.
 */
export async function listRequests(
  { db, vault }: Store,
  { caller, state, ...page }: RequestListOptions,
): Promise<RequestPage> {
  const { rows: listed } = await sql<{ ids: string[] }>`
    select ${pageOfIds(caller.accountId, state, page, { end: page.cursor })} as ids`.execute(db);
  const ids = listed[0]?.ids ?? [];
  const requests = db
    .selectFrom('request')
    .select([...requestModelColumns, 'erased_at', 'erased_reason'])
    .where('id', '=', (any) => any.fn.any(any.val(ids)));
  const { rows, next_cursor } = await readSizedPage(db, requests, { ...page, column: 'input' });
  const { readable, unreadableIds } = await openReadable(
    vault,
    rows.filter(({ erased_at: erasedAt }) => erasedAt === null),
  );
  const requestIds = readable.map(({ row }) => row.id);
  await recordAccess(db, { caller, operation: 'requests.list', requestIds });
  const erased = rows.flatMap(toErased);
  return { items: readable.map(({ request }) => request), erased, next_cursor, unreadableIds };
}

type ListedRow = Selectable<Tables['request']>;

function toErased({
  id,
  received_at: receivedAt,
  erased_at: erasedAt,
  ...row
}: Pick<
  ListedRow,
  'id' | 'received_at' | 'erased_at' | 'outcome' | 'delivery' | 'delivery_reason' | 'erased_reason'
>): ErasedRequest[] {
  if (!erasedAt) return [];
  return [
    {
      request_id: id,
      received_timestamp: receivedAt.toISOString(),
      state: stateOf(row.outcome, row.delivery),
      error_reason: erasedErrorReason(row),
      erased_at: erasedAt.toISOString(),
    },
  ];
}

/** The rows of a page that decrypt, each with its request. A row that does not costs its own place, not the page. */
interface ReadableRows<Row> {
  readonly readable: readonly { readonly row: Row; readonly request: RequestModel }[];
  /** The omitted rows. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

async function openReadable<Row extends RequestModelRow>(
  vault: Vault,
  rows: readonly Row[],
): Promise<ReadableRows<Row>> {
  const opened = await Promise.all(
    rows.map(async (row) => ({ row, request: await decryptOrNull(openRequestModel(vault, row)) })),
  );
  return {
    readable: opened.flatMap(({ row, request }) => (request ? [{ row, request }] : [])),
    unreadableIds: opened.filter(({ request }) => request === null).map(({ row }) => row.id),
  };
}

/** Above every id. */
export const ABOVE = 'req_~';

const newestRequests = sql.raw(newestRequestsFunction.name);
const oldestRequests = sql.raw(oldestRequestsFunction.name);

/**
 * An array of the ids of a page of an account's requests, in one state or in all, plus one more; the newest first, or the oldest. Derived
 * from `stateOf`, so the list's filter cannot disagree with the view.
 * @param accountId the account's id, or a column that holds it.
 */
export function pageOfIds(
  accountId: string | RawBuilder<string>,
  state: RequestState | undefined,
  { limit, order }: Pick<PageOptions, 'limit' | 'order'>,
  { floor = '', end = ABOVE }: IdSpan,
): RawBuilder<string[]> {
  const groups = FINISHED.filter(
    ({ outcome, undelivered }) =>
      state === undefined || stateOf(outcome, undelivered ? 'exhausted' : 'delivered') === state,
  );
  const withPending = state === undefined || state === 'pending';
  return sql<
    string[]
  >`${order === 'oldest' ? oldestRequests : newestRequests}(${accountId}, ${groups.map(({ outcome }) => outcome)},
    ${groups.map(({ undelivered }) => undelivered)}::boolean[], ${withPending}, ${floor}, ${end}, ${limit + 1})`;
}

const COUNT_MAX = 10_000;

/** Of `work_queue`: its request has no result although the time at which it is needed is past. */
export const IS_LATE = sql<boolean>`work_queue.needed_by < now()`;

/**
 * How many requests within the caller's reach are late, and how many deliveries were given up, 10,000 at most of each; for
 * a live caller without those of test accounts.
 * Both are read by indexes that have no other rows.
 */
export async function countRequests(
  { db }: Pick<Store, 'db'>,
  { caller }: { readonly caller: Caller },
): Promise<RequestStats> {
  const counter = counting(caller);
  const { rows } = await sql<RequestStats>`
    select (
      select count(*)::int from (
        select from work_queue where ${IS_LATE} and ${within(counter, 'work_queue.account_id')} limit ${COUNT_MAX}
      ) as late
    ) as late_count, (
      select count(*)::int from (
        select from delivery where exhausted_at is not null and ${IS_LISTED} and ${within(counter, 'delivery.account_id')} limit ${COUNT_MAX}
      ) as given_up
    ) as given_up_count`.execute(db);
  return rows[0] ?? { late_count: 0, given_up_count: 0 };
}
