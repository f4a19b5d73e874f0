/**
 * The hosts and accounts whose rows may wait in the queue. A delivery that is handed over while it is made would pass
 * them, so there it takes its turn.
 */
export interface Crowd {
  /** By host key or account id. */
  readonly waitsAt: (...keys: readonly string[]) => boolean;
  readonly add: (key: string) => void;
  /** Not all of the queue was looked at. */
  readonly addAll: () => void;
  /** A round of claims: what it does not add again by its end waits for nothing any more. */
  readonly beginRound: () => void;
  readonly endRound: () => void;
}

/** Before the first round has ended, everybody may wait. */
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
