type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/**
 * The lists that all items have under one name, joined. As `flatMap`, where nearly all of them are empty: over the
 * benefits of a long answer that took a third of its reading.
 */
export function gathered<K extends string, T extends { readonly [Name in K]: readonly unknown[] }>(
  items: readonly T[],
  name: K,
): ItemOf<T[K]>[] {
  const all: unknown[] = [];
  for (const item of items) {
    const list = item[name];
    if (list.length > 0) for (const one of list) all.push(one);
  }
  return all as ItemOf<T[K]>[];
}
