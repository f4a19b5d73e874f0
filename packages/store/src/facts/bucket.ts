import { type RawBuilder, sql } from 'kysely';

/** Buckets for each doubling of a duration. */
const PER_DOUBLING = 8;

/** The upper bound of bucket 0: the 20 seconds of the CORE rule, so that "within 20 seconds" is exact. */
const BASE_MS = 20_000;

/** The last bucket within 20 seconds. */
export const LAST_WITHIN_RULE = 0;

/** Below a millisecond: a duration that was not measured, such as an attempt that was handed in without a lease. */
export const UNTIMED = -115;

/**
 * The greatest error of a quantile read from buckets, as a share of the duration: a duration counts as the geometric
 * middle of its bucket, and each bucket ends 9.05 % above the one before.
 */
export const QUANTILE_ERROR = 2 ** (1 / (2 * PER_DOUBLING)) - 1;

/**
 * The bucket of a duration in milliseconds, an integer: bucket i ends at 20,000 · 2^(i/8), inclusive. Fixed for ever:
 * stored facts depend on it.
 */
export const bucketOf = (ms: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(case when ${ms} < 1 then ${sql.lit(UNTIMED)}
    else ceil(${sql.lit(PER_DOUBLING)} * ln(${ms} / ${sql.lit(BASE_MS)}::float8) / ln(2::float8)) end)::smallint`;

/**
 * The duration that stands for a bucket: its geometric middle, and never more than the greatest that was measured.
 */
export function millisecondsOf(bucket: number, maxMs: number): number {
  if (bucket <= UNTIMED) return 0;
  return Math.min(BASE_MS * 2 ** ((bucket - 0.5) / PER_DOUBLING), maxMs);
}
