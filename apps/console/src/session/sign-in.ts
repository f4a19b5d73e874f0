/** Why a sign-in failed: here, or as the way back from the provider says it. */
export type SignInFailure =
  | 'no_token'
  | 'refused'
  | 'too_many'
  | 'offline'
  | 'expired'
  | 'tampered'
  | 'declined'
  | 'provider_refused'
  | 'provider_down'
  | 'code_used'
  | 'not_fresh'
  | 'amr_missing'
  | 'no_role'
  | 'ended'
  | 'link_not_valid'
  | 'identity_taken';

/** The one-time token of what a person pasted: a whole link, or the token alone. */
export function tokenOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.indexOf('#') + 1);
}

/**
 * Trades a one-time token for a session, which the browser then keeps in a cookie that no script can read. Where a
 * provider signs people in, the link is an invitation, and the browser goes on there: then nothing is answered.
 */
export async function signIn(token: string): Promise<SignInFailure | null> {
  if (token === '') return 'no_token';
  try {
    const answer = await fetch('/console/api/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (!answer.ok) return answer.status === 429 ? 'too_many' : answer.status >= 500 ? 'offline' : 'refused';
    const { continue_at: address } = (await answer.json()) as { continue_at?: string };
    if (address === undefined) return null;
    location.assign(address);
    return await new Promise<never>(() => undefined);
  } catch {
    return 'offline';
  }
}

/** Ends the session here and at the service. */
export async function signOut(): Promise<void> {
  await fetch('/console/api/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
}

export const SIGN_IN_WORDS: Readonly<Record<SignInFailure, string>> = {
  no_token: 'Paste the link, or the part after the # in it.',
  refused: 'This link has been used already, or is too old. Get a new one.',
  too_many: 'Too many tries from this address. Wait a minute, then try again.',
  offline: 'The service does not answer. Try again in a moment.',
  expired: 'The sign-in took longer than ten minutes, or was begun in another browser. Begin again.',
  tampered: 'What came back does not belong to the sign-in that was begun here. Begin again.',
  declined: 'The sign-in was cancelled at the provider.',
  provider_refused: 'The provider refused the sign-in. An administrator finds the reason in the log.',
  provider_down: 'The provider does not answer. Try again in a moment.',
  code_used: 'This sign-in has been used already, or took too long. Begin again.',
  not_fresh: 'The provider did not ask you to sign in again, which this step needs.',
  amr_missing: 'Sign in with a second factor: the provider did not ask you for one that is required here.',
  no_role:
    'None of your groups at the provider has a role here. An administrator of the provider can add you to one.',
  ended: 'Your access here has ended. An administrator can tell you why.',
  link_not_valid: 'The invitation has been used already, or is too old. Ask for a new one.',
  identity_taken: 'You signed in as somebody who has access already; the invitation is for somebody else.',
};

/** The failure that the way back from the provider named in the address. */
export function failureIn(search: string): SignInFailure | null {
  const named = new URLSearchParams(search).get('failed');
  if (named === null) return null;
  return Object.hasOwn(SIGN_IN_WORDS, named) ? (named as SignInFailure) : 'provider_refused';
}
