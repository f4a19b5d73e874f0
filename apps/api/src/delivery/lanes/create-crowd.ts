/**
 * The hosts and accounts that may have rows waiting in the queue. A new delivery to one of them queues too: handing it
 * straight to the worker would overtake those rows.
 */
export interface Crowd {
  /** By host key or account id. */
  readonly waitsAt: (...keys: readonly string[]) => boolean;
  readonly add: (key: string) => void;
  /** Part of the queue was not looked at: anyone may wait. */
  readonly addAll: () => void;
  /** Begins a round of claims: keys not added again by its end no longer wait. */
  readonly beginRound: () => void;
  readonly endRound: () => void;
}

/** Until the first round has ended, anyone may wait. */
export function createCrowd(): Crowd {
  let isEverywhere = true;
  let keys = new Set<string>();
  let isEverywhereNext = false;
  let keysNext = new Set<string>();
  return {
    waitsAt: (...asked) => isEverywhere || asked.some((key) => keys.has(key)),
    add: (key) => {
      keys.add(key);
      keysNext.add(key);
    },
    addAll: () => {
      isEverywhere = true;
      isEverywhereNext = true;
    },
    beginRound: () => {
      isEverywhereNext = false;
      keysNext = new Set();
    },
    endRound: () => {
      isEverywhere = isEverywhereNext;
      keys = keysNext;
    },
  };
}
