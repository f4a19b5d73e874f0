/** A calendar month in UTC, as `2026-11`. */
export type Month = `${number}-${string}`;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): text is Month => MONTH.test(text);

/** The month of a time in milliseconds since 1970. */
export function monthAt(ms: number): Month {
  const date = new Date(ms);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The first millisecond of a month. */
export function startOf(month: Month): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** The month that is `count` months later, earlier for a negative count. */
export function monthAfter(month: Month, count = 1): Month {
  const start = new Date(startOf(month));
  return monthAt(start.setUTCMonth(start.getUTCMonth() + count));
}
