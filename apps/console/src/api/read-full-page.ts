interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Calls for one view of a list; then the person decides whether to look on. */
const CALL_COUNT_MAX = 10;

/** Reads on while a page is short: behind rare matches, each call reads a bounded number of rows. */
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
