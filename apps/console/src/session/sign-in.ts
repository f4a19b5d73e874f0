/** Why a sign-in failed, or null when it did not. */
export type SignInFailure = 'no_token' | 'refused' | 'too_many' | 'offline';

/** The one-time token of what a person pasted: a whole link, or the token alone. */
export function tokenOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.indexOf('#') + 1);
}

/** Trades a one-time token for a session, which the browser then keeps in a cookie that no script can read. */
export async function signIn(token: string): Promise<SignInFailure | null> {
  if (token === '') return 'no_token';
  try {
    const answer = await fetch('/console/api/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) return null;
    return answer.status === 429 ? 'too_many' : answer.status >= 500 ? 'offline' : 'refused';
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
  refused: 'This link has been used already, or is older than 30 minutes. Get a new one.',
  too_many: 'Too many tries from this address. Wait a minute, then try again.',
  offline: 'The service does not answer. Try again in a moment.',
};
