/** As `flatMap`, where nearly all lists are empty: over the benefits of a long answer that took a third of its reading. */
export function gathered<T, U>(items: readonly T[], listOf: (item: T) => readonly U[]): U[] {
  const all: U[] = [];
  for (const item of items) {
    const list = listOf(item);
    if (list.length > 0) for (const one of list) all.push(one);
  }
  return all;
}
