import type { Page, PageOptions } from '../../src/index.ts';

/** Every page of a list to its end; calls `between` after each. */
export async function readPages<Item>(
  limit: number,
  read: (options: PageOptions) => Promise<Page<Item>>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Item[][]> {
  const pages: Item[][] = [];
  let cursor: string | undefined;
  for (;;) {
    const { items, next_cursor } = await read({ limit, cursor });
    pages.push(items);
    if (next_cursor === null) return pages;
    cursor = next_cursor;
    await between();
  }
}
