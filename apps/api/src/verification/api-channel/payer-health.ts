/** What one exchange with a payer showed of it. `slowed`: it answered that it takes no more inquiries now. */
export type Shown =
  | { readonly kind: 'answered' }
  | { readonly kind: 'slowed' }
  /** `isSent`: the inquiry may have reached the payer, so that the patient may be the reason. */
  | { readonly kind: 'unanswered'; readonly isSent: boolean };

/**
 * What the exchanges of this process show of one payer. An answer is any that a payer itself gives, a rejection too. Kept
 * in memory: a restart has to see the failures once more.
 *
 * | the last exchanges                                                              | so                             |
 * |---------------------------------------------------------------------------------|--------------------------------|
 * | one failed                                                                      | half of the places             |
 * | one was answered                                                                | one place more                 |
 * | the last 10 failed, of three requests or of a payer that has not answered for ten minutes; and none of them was sent, or the last answer is 20 s old | it is down |
 *
 * So one patient's odd answer never closes a payer, and one that answers a third of the inquiries is asked slowly. Instants
 * are milliseconds of a monotonic clock, given by the caller.
 */
export class PayerHealth {
  readonly #placeCountMax: number;
  #placeCount: number;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #failures: Failures | null = null;
  /** When requests failed last, those of the last failures. */
  readonly #failedAt = new Map<string, number>();

  constructor(placeCountMax: number) {
    this.#placeCountMax = placeCountMax;
    this.#placeCount = placeCountMax;
  }

  /** How many inquiries may be under way at once. */
  get placeCount(): number {
    return this.#placeCount;
  }

  /** How long the payer has not answered, and how often: the exchanges in a row that failed. Null after an answer. */
  failuresAt(nowMs: number): { readonly count: number; readonly seconds: number } | null {
    return (
      this.#failures && { count: this.#failures.count, seconds: (nowMs - this.#failures.beganAt) / 1_000 }
    );
  }

  /**
   * Notes what an exchange showed.
   * @returns whether it failed by this request: the payer answers others meanwhile, and no other one fails.
   */
  note(shown: Shown, requestId: string, nowMs: number): boolean {
    if (shown.kind === 'answered') {
      this.#failedAt.delete(requestId);
      this.#failures = null;
      this.#answeredAt = nowMs;
      this.#placeCount = Math.min(this.#placeCount + 1, this.#placeCountMax);
      return false;
    }
    if (nowMs - this.#slowedAt >= SLOWED_MS) {
      this.#slowedAt = nowMs;
      this.#placeCount = Math.max(Math.floor(this.#placeCount / 2), 1);
    }
    if (shown.kind === 'slowed') return false;
    this.#failures ??= { beganAt: nowMs, count: 0, requestIds: new Set(), hasSent: false };
    this.#failures.count += 1;
    this.#failures.hasSent ||= shown.isSent;
    if (this.#failures.requestIds.size < REQUEST_COUNT_MIN) this.#failures.requestIds.add(requestId);
    const failedAt = this.#failedAt.get(requestId) ?? nowMs - RECENT_MS;
    this.#failedAt.delete(requestId);
    this.#failedAt.set(requestId, nowMs);
    const [oldest] = this.#failedAt.keys();
    if (this.#failedAt.size > FAILED_COUNT_MAX && oldest !== undefined) this.#failedAt.delete(oldest);
    return shown.isSent && this.#answeredAt > failedAt && this.#failures.requestIds.size === 1;
  }

  /** Whether the payer does not answer at all. */
  isDown(nowMs: number): boolean {
    if (!this.#failures || this.#failures.count < FAILURE_COUNT_MIN) return false;
    const { requestIds, hasSent } = this.#failures;
    const isOfMany = requestIds.size >= REQUEST_COUNT_MIN || !hasSent;
    const silentMs = nowMs - this.#answeredAt;
    return (isOfMany || silentMs > KNOWN_MS) && (!hasSent || silentMs >= SILENT_MS);
  }
}

/** Exchanges without an answer since the last one that had one. */
interface Failures {
  readonly beganAt: number;
  count: number;
  /** Some of the requests that were asked about. */
  readonly requestIds: Set<string>;
  hasSent: boolean;
}

const FAILURE_COUNT_MIN = 10;
const REQUEST_COUNT_MIN = 3;

/** The longest exchange: those that were under way at the last answer have ended. */
const SILENT_MS = 20_000;

/** How long an answer shows that a payer works, where only one request fails. */
const KNOWN_MS = 600_000;

/** How long an answer shows that a payer works, where a request fails for the first time. */
const RECENT_MS = 60_000;

/** Requests whose failure is remembered. */
const FAILED_COUNT_MAX = 1_000;

/** Inquiries that fail together halve the places once. */
const SLOWED_MS = 1_000;
