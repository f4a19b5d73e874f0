import { type ConsoleHints, type Hint, HINTS, type Scope } from '@insurance-verification/schema';
import type { SessionStanding } from '@insurance-verification/store';
import { type HintCounts, UNKNOWN_ACCOUNT } from './hint-batch.ts';

/** For each kind the scopes of which any one is enough: `all` to read it of every account, `own` of the person's. */
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
