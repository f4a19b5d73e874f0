const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A day of the calendar, wherever it is read: `3 December 2026`. @param day `YYYY-MM-DD` */
export const dayInWords = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));
