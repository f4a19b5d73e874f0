/** Where verifiers wait for work in one process. */
export interface WaitingRoom {
  /**
   * Looks until something is found, the time is over, `signal` reports the client gone, or the room closes. Callers
   * that look for the same thing (equal `key`) look one after the other, first come, first served.
   */
  waitFor<Item>(options: {
    readonly key: string;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly look: () => Promise<readonly Item[]>;
  }): Promise<readonly Item[]>;
  /** Signals possible work: some look now rather than at the next poll. */
  readonly wake: () => void;
  /** Ends all waiting, now and later. */
  readonly close: () => void;
}
