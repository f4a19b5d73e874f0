const daysInWords = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** A number of days that data is kept; null: for good. */
export const retentionWords = (days: number | null): string => (days === null ? 'Kept' : daysInWords(days));

/** The retention of an account as the tables show it, with the shorter one that waits for a second person. */
export const accountRetentionWords = ({
  retention_days: days,
  retention_asked: asked,
}: {
  readonly retention_days: number | null;
  readonly retention_asked: number | null;
}): string => `${retentionWords(days)}${asked === null ? '' : `, ${daysInWords(asked)} to confirm`}`;
