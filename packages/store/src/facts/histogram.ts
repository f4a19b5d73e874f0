import { type RawBuilder, sql } from 'kysely';

/** Buckets for each doubling of a duration. */
const PER_DOUBLING = 8;

/** The upper bound of bucket 0: the 20 seconds of the CORE rule, so that "within 20 seconds" is exact. */
const BASE_MS = 20_000;

/** The last bucket within 20 seconds. */
export const LAST_WITHIN_RULE = 0;

/** Below a millisecond: a duration that was not measured, as for a result submitted without a lease. */
const UNTIMED = -115;

/**
 * The greatest error of a quantile read from buckets, as a share of the duration: a duration counts as the geometric
 * middle of its bucket, and each bucket ends 9.05 % above the one before.
 */
export const QUANTILE_ERROR = 2 ** (1 / (2 * PER_DOUBLING)) - 1;

/**
 * The bucket of a duration in milliseconds, an integer: bucket i ends at 20,000 · 2^(i/8), inclusive. It must never
 * change: stored facts depend on it.
 */
export const bucketOf = (ms: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(case when ${ms} < 1 then ${sql.lit(UNTIMED)}
    else ceil(${sql.lit(PER_DOUBLING)} * ln(${ms} / ${sql.lit(BASE_MS)}::float8) / ln(2::float8)) end)::smallint`;

/**
 * The duration of a bucket in milliseconds: its geometric middle, and never more than the greatest that was measured.
 */
export function millisecondsOf(bucket: number, maxMs: number): number {
  if (bucket <= UNTIMED) return 0;
  return Math.min(BASE_MS * 2 ** ((bucket - 0.5) / PER_DOUBLING), maxMs);
}

/** A row with the buckets of its quantiles; null where nothing was timed. */
export interface QuantileRow {
  readonly timed_count: number;
  readonly p50: number;
  readonly p90: number;
  readonly max_ms: string;
}

/** Quantiles in milliseconds, within `QUANTILE_ERROR`. */
interface Quantiles {
  readonly p50Ms: number;
  readonly p90Ms: number;
}

/**
 * The buckets that hold the quantiles of facts, by these columns.
 * @param bucketed selects the columns, `bucket`, `n` and `max_ms`, one row for each bucket.
 */
export function quantilesOf(bucketed: RawBuilder<unknown>, columns: readonly string[]): RawBuilder<unknown> {
  const by = sql.join(columns.map((column) => sql.ref(column)));
  return sql`
    select ${by}, sum(n)::int as timed_count, max(max_ms) as max_ms,
      min(bucket) filter (where upto >= total * 0.5) as p50,
      min(bucket) filter (where upto >= total * 0.9) as p90
    from (
      select bucketed.*, sum(n) over (partition by ${by} order by bucket) as upto,
        sum(n) over (partition by ${by}) as total
      from (${bucketed}) as bucketed
    ) as ranked
    group by ${by}`;
}

export function toQuantiles({ p50, p90, max_ms: maxMs }: QuantileRow): Quantiles {
  const ms = (bucket: number) => millisecondsOf(bucket, Number(maxMs));
  return { p50Ms: ms(p50), p90Ms: ms(p90) };
}

/** Buckets from `UNTIMED` to 30 years. */
const BUCKET_COUNT = 512;

/** A histogram as PostgreSQL writes its two arrays: `{-3,0,4}` and `{1,20,2}`. */
export interface HistogramText {
  readonly buckets: string;
  readonly bucket_counts: string;
}

/**
 * A sum of histograms. Summed here rather than in SQL: the 370,000 buckets of a month's facts took PostgreSQL half a
 * second to unnest and group, and take a tenth of that to read.
 */
export class Tally {
  readonly #counts = new Int32Array(BUCKET_COUNT);
  #maxMs = 0;
  /** All, those that were not timed among them. */
  count = 0;

  add({ buckets, bucket_counts: counts }: HistogramText, maxMs: number): void {
    this.#maxMs = Math.max(this.#maxMs, maxMs);
    const [bucketReader, countReader] = [new NumberReader(buckets), new NumberReader(counts)];
    while (bucketReader.hasNext()) {
      const place = Math.min(bucketReader.next() - UNTIMED, BUCKET_COUNT - 1);
      this.#counts[place] = (this.#counts[place] ?? 0) + countReader.next();
    }
  }

  /** The timed ones within the 20 seconds of the CORE rule. */
  get withinCount(): number {
    return this.#sum(1, LAST_WITHIN_RULE - UNTIMED + 1);
  }

  /** The slowest, exactly; null when nothing was timed. */
  get maxMs(): number | null {
    return this.#sum(1) === 0 ? null : this.#maxMs;
  }

  /** The quantile of this share, within `QUANTILE_ERROR`; null when nothing was timed. */
  quantileMs(share: number): number | null {
    const total = this.#sum(1);
    if (total === 0) return null;
    let upTo = 0;
    const place = this.#counts.findIndex((count, index) => index > 0 && (upTo += count) >= total * share);
    return Math.round(millisecondsOf(place + UNTIMED, this.#maxMs));
  }

  /** The place before the first timed one is that of `UNTIMED`. */
  #sum(from: number, until?: number): number {
    return this.#counts.subarray(from, until).reduce((sum, count) => sum + count, 0);
  }
}

const [MINUS, ZERO, NINE] = [45, 48, 57];

/** Reads the integers of an array's text one by one, without a list of them. */
class NumberReader {
  readonly #text: string;
  #at = 1;

  constructor(text: string) {
    this.#text = text;
  }

  hasNext(): boolean {
    return this.#at < this.#text.length - 1;
  }

  next(): number {
    const isNegative = this.#text.charCodeAt(this.#at) === MINUS;
    if (isNegative) this.#at += 1;
    let value = 0;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      this.#at += 1;
      if (!(code >= ZERO && code <= NINE)) return isNegative ? -value : value;
      value = value * 10 + code - ZERO;
    }
  }
}
