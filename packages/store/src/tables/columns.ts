import type { VerifyWithin } from '@insurance-verification/schema';
import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as a date, written as a date or text. */
export type Instant = ColumnType<Date, Date | string, Date | string>;

/** Of the row's columns that give power, see `RowMacs`; empty until it is written. */
export type Mac = ColumnType<string, never, never>;

/** How much a subject may use: `quota` units at once, and as many again in each window. */
export interface Quota {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Read as a value, written as JSON text. */
export type VerifyWithinColumn = ColumnType<VerifyWithin | null, string | null | undefined, string | null>;
