import type { ColumnType } from 'kysely';

/** Of the row's columns that give power, see `RowMacs`; empty until it is written. */
export type Mac = ColumnType<string, never, never>;
