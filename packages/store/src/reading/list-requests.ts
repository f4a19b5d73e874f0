import {
  type ErasedRequest,
  type RequestModel,
  type RequestState,
  stateOf,
} from '@insurance-verification/schema';
import { type Selectable, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import { openOrNull } from '../encryption/seal.ts';
import type { Vault } from '../encryption/vault.ts';
import {
  erasedErrorReason,
  openRequestModel,
  requestModelColumns,
  type RequestModelRow,
} from '../intake/read-request.ts';
import type { Store } from '../open-store.ts';
import { type Page, type PageOptions, readSizedPage } from '../page.ts';
import type { Tables } from '../tables/tables.ts';
import { pageOfIds } from './page-of-ids.ts';

export interface RequestListOptions extends PageOptions {
  readonly caller: Caller;
  readonly state?: RequestState | undefined;
}

export interface RequestPage extends Page<RequestModel> {
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
    rows.map(async (row) => ({ row, request: await openOrNull(openRequestModel(vault, row)) })),
  );
  return {
    readable: opened.flatMap(({ row, request }) => (request ? [{ row, request }] : [])),
    unreadableIds: opened.filter(({ request }) => request === null).map(({ row }) => row.id),
  };
}
