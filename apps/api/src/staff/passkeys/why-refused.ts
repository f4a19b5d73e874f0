import type { RelyingParty } from './relying-party.ts';

type WhyRefused = 'passkey_elsewhere' | 'passkey_unverified' | 'passkey_invalid';

/**
 * Why the library refused what an authenticator signed, read off the answer itself: the library's messages are for
 * developers.
 */
export async function whyRefused(
  { origin }: RelyingParty,
  clientDataJSON: string,
  authenticatorData: () => Uint8Array<ArrayBuffer>,
): Promise<WhyRefused> {
  const { decodeClientDataJSON, parseAuthenticatorData } = await import('@simplewebauthn/server/helpers');
  try {
    if (decodeClientDataJSON(clientDataJSON).origin !== origin) return 'passkey_elsewhere';
    return parseAuthenticatorData(authenticatorData()).flags.uv ? 'passkey_invalid' : 'passkey_unverified';
  } catch {
    return 'passkey_invalid'; // nothing that an authenticator would say
  }
}
