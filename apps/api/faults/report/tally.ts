/** The observations of one row. */
export class Tally {
  acknowledgedCount = 0;
  lostCount = 0;
  duplicateCount = 0;
  /** The longest time from a fault until the service worked again; null when nothing had to recover. */
  worstRecoveryMs: number | null = null;
  /** Sentences about what does not hold; empty when the row holds. */
  readonly broken: string[] = [];
  /** Extra measurements for the reader. */
  readonly facts: string[] = [];

  /** Records the sentence as broken unless `isTrue`. */
  holds(isTrue: boolean, sentence: string): void {
    if (!isTrue && !this.broken.includes(sentence)) this.broken.push(sentence);
  }

  recovered(ms: number): void {
    this.worstRecoveryMs = Math.max(this.worstRecoveryMs ?? 0, ms);
  }

  recoveredWithin(ms: number, maxMs: number, what: string): void {
    this.recovered(ms);
    this.holds(ms <= maxMs, `${what} took ${Math.round(ms)} ms, more than ${maxMs} ms`);
  }
}
