/** Where verifiers wait for work in one process. */
export interface WaitingRoom {
  /**
   * Looks until something is found, the time is over, the signal says that the client is gone, or the room closes. Those
   * who look for the same thing (equal `key`) are let look one after the other, in the order in which they came.
   */
  waitFor<Item>(options: {
    readonly key: string;
    readonly milliseconds: number;
    readonly signal: AbortSignal;
    readonly look: () => Promise<readonly Item[]>;
  }): Promise<readonly Item[]>;
  /** There may be work: some look now rather than at the next poll. */
  readonly wake: () => void;
  /** Nobody waits any longer, now or later. */
  readonly close: () => void;
}
