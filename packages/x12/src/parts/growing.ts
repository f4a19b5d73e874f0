/** The writable form of what is being read; callers get the same objects read-only. */
export type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** The empty list. Shared: thousands of separate empty lists were most of a long answer's memory. */
export const NONE: readonly never[] = Object.freeze([]);

/** The list with one item more. Only {@link NONE} is shared, so every other list grows in place. */
export function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}
