interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Reads a list page by page, each when the previous one is used up, and yields its items one at a time. */
export function eachItem(readPage: (input: object, options?: object) => Promise<unknown>) {
  return async function* pages(input: object = {}, options?: object): AsyncGenerator<unknown, void, void> {
    let cursor: string | null | undefined;
    do {
      const page = (await readPage({ ...input, cursor }, options)) as Page;
      yield* page.items;
      cursor = page.next_cursor;
    } while (cursor !== null);
  };
}
