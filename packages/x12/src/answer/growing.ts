/** What is being read: its readers give the same objects, read-only. */
export type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** Where nothing was sent. One for all: a list of its own for each of many empty ones is most of a long answer's memory. */
export const NONE: readonly never[] = Object.freeze([]);

/** The list with one more. Only {@link NONE} is anybody else's, so any other list may grow in place. */
export function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}

/** Puts `item` in the place of the last, of a list that {@link added} made. */
export function replaceLast<T>(list: readonly T[], item: T): void {
  (list as T[])[list.length - 1] = item;
}
