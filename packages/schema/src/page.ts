import * as z from 'zod';
import { enumeration, model } from './model.ts';

/** How many items a page may hold: an integer from 1 to 100, 20 when absent. */
export function limitField() {
  return z.int().min(1).max(100).default(20).meta({ description: 'How many items at most, 1 to 100.' });
}

/** Where the page starts: the previous page's `next_cursor`. Absent for the first. */
export function cursorField() {
  return (
    z
      .string()
      .optional()
      // The service reports every invalid cursor, including an empty text, in one way; the document describes what it
      // can.
      .meta({ description: 'The next_cursor of the page before; absent for the first page.', minLength: 1 })
  );
}

/** Which items of a list come first. */
export const ListOrder = enumeration('ListOrder', 'Which items of a list come first.', ['newest', 'oldest']);
export type ListOrder = z.infer<typeof ListOrder>;

/** Whether the newest or the oldest come first; the newest when absent. A cursor holds for the order it was given in. */
export function orderField() {
  return ListOrder.default('newest').meta({
    description: 'Which come first; newest when absent. A cursor holds for the order that it was given in.',
  });
}

/** Where the next page starts. */
export function nextCursorField() {
  return z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' });
}

/** Which page of a list to read, newest first: held outputs, keys, accounts. */
export const ListPage = model('ListPage', 'Which page of a list to read, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link ListPage} as a type, after the default is filled in. */
export type ListPage = z.infer<typeof ListPage>;
