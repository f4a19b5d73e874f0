import * as z from 'zod';

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

/** Where the next page starts. */
export function nextCursorField() {
  return z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' });
}
