import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as a date, written as a date or text. */
export type Instant = ColumnType<Date, Date | string, Date | string>;
