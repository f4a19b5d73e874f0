/** The retention of an account as the table shows it. */
export const retentionWords = (days: number | null): string =>
  days === null ? 'Kept' : `${days} ${days === 1 ? 'day' : 'days'}`;
