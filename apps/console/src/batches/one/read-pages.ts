interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_after: number | null;
}

/** Rows of one call, the most that the service answers. */
const LIMIT = 100;

/** Reads every page of a list, one after the other. */
export async function readAllPages<Item>(
  read: (page: { limit: number; after: number | undefined }) => Promise<Page<Item>>,
  take: (items: readonly Item[]) => void,
): Promise<void> {
  let after: number | undefined;
  do {
    const { items, next_after: next } = await read({ limit: LIMIT, after });
    take(items);
    after = next ?? undefined;
  } while (after !== undefined);
}

/** A page of rows as `PagedList` reads it: its cursor is a text. */
export async function readPage<Item>(
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  read: (page: { limit: number; after: number | undefined }) => Promise<Page<Item>>,
) {
  const { items, next_after: next } = await read({
    limit,
    after: cursor === undefined ? undefined : Number(cursor),
  });
  return { items, next_cursor: next === null ? null : String(next) };
}
