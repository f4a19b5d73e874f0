import type { Hint } from '@insurance-verification/schema';

/** `session`: a session ended or its person's roles changed, so that streams are looked at again. */
export type Change = Hint | 'session';

/** Where whatever changes says so, for the consoles of every process that show it. */
export interface Hints {
  /** Costs a few map look-ups. @param accountId whose it is; absent where that would have to be looked up. */
  readonly tell: (change: Change, accountId?: string) => void;
}
