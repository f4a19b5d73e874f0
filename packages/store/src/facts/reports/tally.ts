import { LAST_WITHIN_RULE, millisecondsOf, UNTIMED } from '../bucket.ts';

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

  /** The duration below which this share lies, within `QUANTILE_ERROR`; null when nothing was timed. */
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
