import type { VerifyWithin } from '@insurance-verification/schema';
import type { ColumnType } from 'kysely';

/** Read as a value, written as JSON text. */
export type VerifyWithinColumn = ColumnType<VerifyWithin | null, string | null | undefined, string | null>;
