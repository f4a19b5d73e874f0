interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Rows of one call, the most that the service answers. */
const LIMIT = 100;

/** Reads every page of a list, one after the other. */
export async function readAllPages<Item>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>,
  take: (items: readonly Item[]) => void,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor: next } = await read({ limit: LIMIT, cursor });
    take(items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
