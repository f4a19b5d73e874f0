import { nextX12ControlNumbers, type Store } from '@insurance-verification/store';

/** Numbers taken at once. Those left over at the process's end are never used: there are a billion. */
const BLOCK_COUNT = 50;

/** Hands out control numbers that no other inquiry has, from blocks that this process has taken. */
export function createControlNumbers(store: Store): () => Promise<number> {
  const taken: number[] = [];
  let taking: Promise<void> | null = null;
  const take = async () => {
    try {
      taken.push(...(await nextX12ControlNumbers(store, BLOCK_COUNT)));
    } finally {
      taking = null;
    }
  };
  return async () => {
    for (;;) {
      const number = taken.shift();
      if (number !== undefined) return number;
      await (taking ??= take());
    }
  };
}
