import type { ClaimedDelivery, FullLanes } from '@insurance-verification/store';

/** How many attempts one process has under way for each host and account. */
export interface Lanes {
  /** Takes a place for a delivery; false when its host or its account has none. */
  readonly enter: (claimed: ClaimedDelivery) => boolean;
  /** Gives the place back. True when the lane was full, so that rows may wait for it. */
  readonly leave: (claimed: ClaimedDelivery) => boolean;
  /** What not to claim. */
  readonly full: () => FullLanes;
}

/** Attempts under way to one host and port: a hung receiver holds these, and no other receiver waits for them. */
const HOST_COUNT_MAX = 10;

const ACCOUNT_COUNT_MAX = 100;

export function createLanes(): Lanes {
  const hosts = new Map<string, number>();
  const accounts = new Map<string, number>();
  return {
    enter: ({ hostKey, accountId }) => {
      if (isFull(hosts, hostKey, HOST_COUNT_MAX) || isFull(accounts, accountId, ACCOUNT_COUNT_MAX))
        return false;
      hosts.set(hostKey, (hosts.get(hostKey) ?? 0) + 1);
      accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1);
      return true;
    },
    leave: ({ hostKey, accountId }) => {
      const wasFull =
        isFull(hosts, hostKey, HOST_COUNT_MAX) || isFull(accounts, accountId, ACCOUNT_COUNT_MAX);
      takeOne(hosts, hostKey);
      takeOne(accounts, accountId);
      return wasFull;
    },
    full: () => ({
      hostKeys: [...hosts.keys()].filter((key) => isFull(hosts, key, HOST_COUNT_MAX)),
      accountIds: [...accounts.keys()].filter((id) => isFull(accounts, id, ACCOUNT_COUNT_MAX)),
    }),
  };
}

function isFull(counts: ReadonlyMap<string, number>, key: string, max: number): boolean {
  return (counts.get(key) ?? 0) >= max;
}

function takeOne(counts: Map<string, number>, key: string): void {
  const count = (counts.get(key) ?? 0) - 1;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
