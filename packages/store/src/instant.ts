import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as a date, written as one or as text. */
export type Instant = ColumnType<Date, Date | string, Date | string>;
