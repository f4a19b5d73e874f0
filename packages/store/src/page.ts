import type { ListOrder } from '@insurance-verification/schema';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** One page of a list in the API's form. `next_cursor` is the last id shown; null on the last page. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface PageOptions {
  readonly limit: number;
  /** Only items after this id in the list's order. */
  readonly cursor?: string | undefined;
  /** Default: newest. */
  readonly order?: ListOrder | undefined;
}

/** Bytes of requests after which a page or a claim ends, however few items it has. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Reads one page of a single-table query: issued ids increase with time. Keyset paging, so new arrivals
 * shift nothing; one row beyond the page shows whether there is a next one.
 */
export async function readPage<Table extends keyof Tables, Row extends { id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  page: PageOptions,
): Promise<ReadPage<Row>> {
  const found = await onePage(query, page).execute();
  return cut(found, page.limit, found.length);
}

/**
 * As {@link readPage}, for rows whose `column` may be large: a page ends at 2 MB, so that a hundred rows of a megabyte
 * each are never in memory at once. Sizes are known without reading the values; only the page's rows are read.
 */
export async function readSizedPage<Table extends keyof Tables, Row extends { id: string }>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { column, ...page }: PageOptions & { readonly column: keyof Row & string },
): Promise<ReadPage<Row>> {
  const size = sql`octet_length(${sql.ref(column)})`;
  const end = directionOf(page);
  const { rows } = await sql<Row & { found_count: number }>`
    select * from (
      select *, count(*) over ()::int as found_count,
        sum(${size}) over (order by id ${end}) - ${size} as bytes_before
      from (${onePage(query, page)}) as found
    ) as sized
    where bytes_before < ${PAGE_BYTES_MAX} order by id ${end}`.execute(db);
  return cut(rows, page.limit, rows[0]?.found_count ?? 0);
}

/** The direction of the ids in an order, for `order by`. */
export const directionOf = ({ order }: Pick<PageOptions, 'order'>) =>
  order === 'oldest' ? sql`asc` : sql`desc`;

/** Ids from `floor` on and below `end`; either is absent where nothing bounds it. */
export interface IdSpan {
  readonly floor?: string | undefined;
  readonly end?: string | undefined;
}

/** What of a span comes after a cursor: below it, or above it where the oldest come first. */
export function spanBeyond({ cursor, order }: Omit<PageOptions, 'limit'>, { floor, end }: IdSpan): IdSpan {
  if (cursor === undefined) return { floor, end };
  if (order !== 'oldest') return { floor, end: end !== undefined && end < cursor ? end : cursor };
  const above = `${cursor}~`; // ids of one kind have one length: the next one is greater, and this one is not
  return { floor: floor !== undefined && floor > above ? floor : above, end };
}

interface ReadPage<Row> {
  readonly rows: Row[];
  readonly next_cursor: string | null;
}

function onePage<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, cursor, order }: PageOptions,
) {
  const isBeyond = order === 'oldest' ? sql<boolean>`id > ${cursor}` : sql<boolean>`id < ${cursor}`;
  return query
    .$if(cursor !== undefined, (all) => all.where(isBeyond))
    .orderBy(sql`id`, order === 'oldest' ? 'asc' : 'desc')
    .limit(limit + 1);
}

function cut<Row extends { id: string }>(found: Row[], limit: number, foundCount: number): ReadPage<Row> {
  const rows = found.slice(0, limit);
  return { rows, next_cursor: foundCount > rows.length ? (rows.at(-1)?.id ?? null) : null };
}
