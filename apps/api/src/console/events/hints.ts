import { type ConsoleHints, type Hint, HINTS, type Scope } from '@insurance-verification/schema';
import type { Change } from '@insurance-verification/schema/contract';
import type { SessionStanding } from '@insurance-verification/store';
import * as z from 'zod';
import type { Hints } from '../../procedure/context/app.ts';

/** Minimum milliseconds between two notifications; changes in between are merged. */
const PAUSE_MS = 250;

interface HintsOptions {
  /** Names this process among those that share the database. */
  readonly name: string;
  /** Notifies the other processes. */
  readonly notifyOthers: (payload: string) => Promise<void>;
  /** Sends the changes to this process's streams. */
  readonly send: (counts: HintCounts) => void;
}

/**
 * Merges changes: each process sends to its streams, and notifies the others, at most four times a second, however
 * much changes. The first change after a pause is sent at once.
 */
export function createHints({ name, notifyOthers, send }: HintsOptions): Hints & {
  /** The handler of `console_hint` for `listen`. */
  readonly hear: (payload: string) => void;
  readonly close: () => void;
} {
  const here = new HintBatch();
  const elsewhere = new HintBatch();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -Infinity;
  let closed = false;

  const sendAll = () => {
    timer = undefined;
    sentAt = performance.now();
    if (!elsewhere.isEmpty)
      notifyOthers(notificationText({ from: name, changes: elsewhere.take() })).catch(() => undefined); // pages look by themselves
    send(here.take());
  };
  const soon = () => {
    if (closed) return;
    timer ??= setTimeout(sendAll, Math.max(0, sentAt + PAUSE_MS - performance.now())).unref();
  };
  return {
    publish: (change, accountId) => {
      here.add(change, accountId);
      elsewhere.add(change, accountId);
      soon();
    },
    hear: (payload) => {
      if (payload === '') here.addAll(EVERYTHING); // no listener for a while
      const notification = readNotification(payload);
      if (notification && notification.from !== name) here.addAll(notification.changes);
      if (!here.isEmpty) soon();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const ONE = { '': 1 };
const EVERYTHING: HintCounts = {
  request: ONE,
  work: ONE,
  held: ONE,
  delivery: ONE,
  access: ONE,
  session: ONE,
};

/** For each kind the sufficient scopes, any one of them: `all` to read it of every account, `own` of the person's. */
const SEEN_WITH: Readonly<Record<Hint, { readonly all: readonly Scope[]; readonly own: readonly Scope[] }>> =
  {
    request: { all: ['operate'], own: ['requests'] },
    work: { all: ['verify', 'operate'], own: [] },
    held: { all: ['operate'], own: [] },
    delivery: { all: ['operate'], own: ['requests'] },
    access: { all: ['admin'], own: ['secrets'] },
  };

/**
 * The hints for one person; null without any. A person of one account gets the count of that account; changes of
 * unknown accounts count as one, so that others' numbers do not show.
 */
export function hintsFor(
  { scopes, readScopes = [], accountId }: SessionStanding,
  counts: HintCounts,
): ConsoleHints | null {
  const holds = (needed: readonly Scope[]) =>
    needed.some((scope) => scopes.includes(scope) || readScopes.includes(scope));
  const hints: ConsoleHints = {};
  for (const hint of HINTS) {
    const accounts = counts[hint];
    if (!accounts) continue;
    const { all, own } = SEEN_WITH[hint];
    const count = holds(all)
      ? Object.values(accounts).reduce((sum, one) => sum + one, 0)
      : holds(own)
        ? (accounts[accountId] ?? 0) + (accounts[UNKNOWN_ACCOUNT] === undefined ? 0 : 1)
        : 0;
    if (count > 0) hints[hint] = count;
  }
  return Object.keys(hints).length > 0 ? hints : null;
}

/** The number of changes by kind and account id. */
export type HintCounts = Partial<Record<Change, Readonly<Record<string, number>>>>;

/** The key for changes of unknown accounts, and of those beyond {@link ACCOUNTS_MAX}. */
const UNKNOWN_ACCOUNT = '';

/** The most accounts of one kind: with more, a notification would exceed PostgreSQL's 8,000 bytes. */
const ACCOUNTS_MAX = 30;

/** Changes that are sent together. */
class HintBatch {
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

const notificationText = (notification: Notification): string => JSON.stringify(notification);

/** Parses a notification of another process; null for one that this version cannot read. */
function readNotification(text: string): Notification | null {
  try {
    return Notification.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
