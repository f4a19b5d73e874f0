import { HINTS } from '@insurance-verification/schema';
import type { Change } from '@insurance-verification/schema/contract';
import * as z from 'zod';

/** The number of changes by kind and account id. */
export type HintCounts = Partial<Record<Change, Readonly<Record<string, number>>>>;

/** The key for changes of unknown accounts, and of those beyond {@link ACCOUNTS_MAX}. */
export const UNKNOWN_ACCOUNT = '';

/** The most accounts of one kind: with more, a notification would exceed PostgreSQL's 8,000 bytes. */
const ACCOUNTS_MAX = 30;

/** Changes that are sent together. */
export class HintBatch {
  readonly #counts = new Map<Change, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(change: Change, accountId = UNKNOWN_ACCOUNT, count = 1): void {
    let accounts = this.#counts.get(change);
    if (!accounts) this.#counts.set(change, (accounts = new Map()));
    const known = accounts.has(accountId) || accounts.size < ACCOUNTS_MAX ? accountId : UNKNOWN_ACCOUNT;
    accounts.set(known, (accounts.get(known) ?? 0) + count);
  }

  addAll(counts: HintCounts): void {
    for (const [change, accounts] of Object.entries(counts))
      for (const [accountId, count] of Object.entries(accounts)) this.add(change as Change, accountId, count);
  }

  /** Returns the changes and clears the batch. */
  take(): HintCounts {
    const counts = Object.fromEntries(
      [...this.#counts].map(([change, accounts]) => [change, Object.fromEntries(accounts)]),
    );
    this.#counts.clear();
    return counts;
  }
}

const Notification = z.object({
  from: z.string(),
  changes: z.partialRecord(z.enum([...HINTS, 'session']), z.record(z.string(), z.number())),
});
type Notification = z.infer<typeof Notification>;

export const notificationText = (notification: Notification): string => JSON.stringify(notification);

/** Parses a notification of another process; null for one that this version cannot read. */
export function readNotification(text: string): Notification | null {
  try {
    return Notification.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
