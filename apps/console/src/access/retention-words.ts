/** How long data is kept, in the words of the table. */
export const retentionWords = (days: number | null): string => (days === null ? 'Kept' : `${days} days`);
