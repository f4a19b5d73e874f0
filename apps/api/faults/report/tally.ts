/** The observations of one row. */
export class Tally {
  acknowledgedCount = 0;
  lostCount = 0;
  duplicateCount = 0;
  /** The longest time from a fault until the service worked again; null when nothing had to recover. */
  worstRecoveryMs: number | null = null;
  /** Sentences about what does not hold; empty when the row holds. */
  readonly broken: string[] = [];
  /** Sentences about times that the machine alone may have made too long: they say nothing about the service. */
  readonly unjudged: string[] = [];
  /** Extra measurements for the reader. */
  readonly facts: string[] = [];

  /** Records the sentence as broken unless `isTrue`; as not judged where the machine excuses it. */
  holds(isTrue: boolean, sentence: string, excuse: string | null = null): void {
    if (isTrue) return;
    if (excuse !== null) this.unjudged.push(`${sentence}; ${excuse}`);
    else if (!this.broken.includes(sentence)) this.broken.push(sentence);
  }

  /** `yes` is all that counts as proven. */
  get verdict(): 'yes' | 'NO' | 'NOT JUDGED' {
    if (this.broken.length > 0) return 'NO';
    return this.unjudged.length > 0 ? 'NOT JUDGED' : 'yes';
  }

  recovered(ms: number): void {
    this.worstRecoveryMs = Math.max(this.worstRecoveryMs ?? 0, ms);
  }

  recoveredWithin(ms: number, maxMs: number, what: string): void {
    this.recovered(ms);
    this.holds(ms <= maxMs, `${what} took ${Math.round(ms)} ms, more than ${maxMs} ms`);
  }
}
