import { randomBytes } from 'node:crypto';
import { openOrNull } from '../../encryption/open-or-null.ts';
import type { Store } from '../../open-store.ts';

/** Minutes that a person may take with the authenticator. */
export const CHALLENGE_MINUTES = 5;

/**
 * What a challenge is for, so that one begun for something else does not open: a sign-in, in the browser that keeps it
 * as a cookie, or a new passkey of one session.
 */
export type ChallengePurpose = { readonly sessionId: string } | 'sign-in';

const placeOf = (purpose: ChallengePurpose) =>
  purpose === 'sign-in' ? 'cookie:passkey' : `passkey.new:${purpose.sessionId}`;

/** A new challenge, and the same sealed: nothing is stored until it comes back, whoever asks and however often. */
export async function sealChallenge(
  { vault }: Store,
  purpose: ChallengePurpose,
): Promise<{ readonly challenge: Buffer; readonly sealed: string }> {
  const challenge = randomBytes(32);
  const until = Date.now() + CHALLENGE_MINUTES * 60_000;
  const text = JSON.stringify({ challenge: challenge.toString('base64url'), until });
  const sealed = await vault.seal('system', placeOf(purpose), text);
  return { challenge, sealed: sealed.toString('base64url') };
}

export type TakenChallenge =
  /** In base64url, as the browser repeats it. */
  | { readonly kind: 'taken'; readonly challenge: string }
  /** `expired`: older than five minutes, or not sealed here for this. `used`: it came back before. */
  | { readonly kind: 'expired' | 'used' };

/** Opens a sealed challenge and uses it up, whatever becomes of what was signed: of two at once, one gets it. */
export async function takeChallenge(
  store: Store,
  purpose: ChallengePurpose,
  sealed: string,
): Promise<TakenChallenge> {
  const opened = await open(store, purpose, sealed);
  if (!opened || opened.until <= Date.now()) return { kind: 'expired' };
  const first = await store.db
    .insertInto('used_passkey_challenge')
    .values({
      hash: store.vault.index('used_passkey_challenge.hash', opened.challenge),
      expires_at: new Date(opened.until),
    })
    .onConflict((used) => used.doNothing())
    .returning('hash')
    .executeTakeFirst();
  return first ? { kind: 'taken', challenge: opened.challenge } : { kind: 'used' };
}

function open({ vault }: Store, purpose: ChallengePurpose, sealed: string) {
  const bytes = Buffer.from(sealed, 'base64url');
  return openOrNull(vault.openJson<{ challenge: string; until: number }>(placeOf(purpose), bytes));
}
