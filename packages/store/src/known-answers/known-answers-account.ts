import { type RawBuilder, sql } from 'kysely';

/**
 * The account of the requests whose answer is known. A regular issued id, from the second UUID after the nil one.
 *
 * Its requests are worked on like any. By it they are left out wherever a provider would notice them: their results
 * have no delivery (`applyFindings`), they write no event (`makeRequestEvent`), and they are in no figure of all accounts
 * (`addFacts`). No other account has them in its lists, counts or limits. That it is an account, rather than a mark on
 * requests of others, is what makes the last sentence true without a condition in every statement.
 */
export const KNOWN_ANSWERS_ACCOUNT_ID = 'acct_00000000000000000000000002';

/**
 * Whether a result of this account, applied at a time, seems received: as soon as an ordinary one could be. A verifier
 * reads it in `work.done`, and from then on a correction is held, as after any receipt.
 */
export const isSeeminglyReceived = (
  appliedAt: RawBuilder<unknown>,
  delaySeconds: number,
): RawBuilder<boolean> =>
  sql<boolean>`(clock_timestamp() >= ${appliedAt} + make_interval(secs => ${delaySeconds}))`;
