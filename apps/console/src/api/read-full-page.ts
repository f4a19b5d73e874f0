interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The most calls for one page of a list; after them the person asks for more. */
const CALL_COUNT_MAX = 10;

/**
 * Reads a page of a list with several calls where one answers fewer rows than asked: each call scans a bounded number
 * of rows, of which few may match.
 */
export async function readFullPage<Item>(
  limit: number,
  cursor: string | undefined,
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  let page = await read({ limit, cursor });
  for (let count = 1; count < CALL_COUNT_MAX; count += 1) {
    if (page.items.length >= limit || page.next_cursor === null) break;
    const more = await read({ limit: limit - page.items.length, cursor: page.next_cursor });
    page = { items: [...page.items, ...more.items], next_cursor: more.next_cursor };
  }
  return page;
}
