import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** One page of a list, newest first. `nextCursor` is the last id shown, null on the last page. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

export interface PageOptions {
  readonly limit: number;
  /** Only what is older than this id. */
  readonly cursor?: string | undefined;
}

/**
 * Reads one page of what a query over one table selects, newest first: issued ids rise with time. Keyset paging, so
 * what arrives meanwhile moves nothing; one row more than the page holds tells whether there is a next one.
 */
export async function readPage<Table extends keyof Tables, Row extends { id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, cursor }: PageOptions,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const found = await query
    .$if(cursor !== undefined, (all) => all.where(sql<boolean>`id < ${cursor}`))
    .orderBy(sql`id`, 'desc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
