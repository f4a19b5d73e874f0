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

/** Cuts a page from rows that were read with a limit of one more than the page holds. */
export function cutPage<Row extends { id: string }>(rows: readonly Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
