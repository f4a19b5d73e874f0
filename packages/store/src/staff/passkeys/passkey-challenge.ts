import { randomBytes } from 'node:crypto';
import { openOrNull } from '../../encryption/seal.ts';
import type { Store } from '../../open-store.ts';

/** Minutes for which a challenge is valid. */
export const CHALLENGE_MINUTES = 5;

/**
 * The purpose of a challenge, to which its seal is bound: a sign-in, whose browser keeps it as a cookie, or a new
 * passkey of one session.
 */
export type ChallengePurpose = { readonly sessionId: string } | 'sign-in';

const placeOf = (purpose: ChallengePurpose) =>
  purpose === 'sign-in' ? 'cookie:passkey' : `passkey.new:${purpose.sessionId}`;

/**
 * Makes a challenge of 32 random bytes, and the same sealed in base64url. Nothing is stored until it is used, so that
 * strangers who ask cannot fill a table.
 */
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
  /** `challenge`: in base64url, as `clientDataJSON` has it. */
  | { readonly kind: 'taken'; readonly challenge: string }
  /** `expired`: older than five minutes, or sealed for another purpose or elsewhere. `used`: it was used before. */
  | { readonly kind: 'expired' | 'used' };

/**
 * Opens a sealed challenge and marks it as used, whether the assertion is valid or not. Of two concurrent uses one
 * succeeds.
 */
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
  return openOrNull(vault.openJson<{ challenge: string; until: number }>('system', placeOf(purpose), bytes));
}
