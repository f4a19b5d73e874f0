/** What one row has seen. */
export class Tally {
  acknowledgedCount = 0;
  lostCount = 0;
  duplicateCount = 0;
  /** From the fault until the service did again what it is for, at its worst; null where nothing had to recover. */
  worstRecoveryMs: number | null = null;
  /** What does not hold, in sentences. Empty: the row holds. */
  readonly broken: string[] = [];
  /** Measured on the way, for the reader. */
  readonly facts: string[] = [];

  /** Notes the sentence as broken unless it is true. */
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
