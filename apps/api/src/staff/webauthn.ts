import type { NewCredential, PasskeyOptions } from '@insurance-verification/schema';
import { type BegunPasskey, CHALLENGE_MINUTES, type KeptCredential } from '@insurance-verification/store';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { isAddressOfNumbers } from '../network/own-pages.ts';

/**
 * The algorithms that passkeys sign with here, by their COSE numbers: Ed25519, ES256, RS256. Named, since the library
 * would ask for ML-DSA first, which Node has as an experiment and warns of.
 */
const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** What a browser makes a passkey of: discoverable, with its user verified, and none where the person has one. */
export function creationOptions(
  party: RelyingParty,
  person: { readonly staffId: string; readonly name: string },
  { challenge, known }: BegunPasskey,
): PasskeyOptions {
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: party.id, name: 'Insurance Verification' },
    user: {
      id: Buffer.from(person.staffId).toString('base64url'),
      name: person.name,
      displayName: person.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MINUTES * 60_000,
    attestation: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

type VerifiedCredential =
  | { readonly kind: 'verified'; readonly credential: KeptCredential & { readonly signCount: number } }
  | { readonly kind: Awaited<ReturnType<typeof whyRefused>> };

/** Checks a passkey that a browser has just made for this challenge, with its user verified. */
export async function verifyNewCredential(
  party: RelyingParty,
  challenge: string,
  given: NewCredential,
): Promise<VerifiedCredential> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const attestation = () => decodeAttestationObject(isoBase64URL.toBuffer(given.response.attestationObject));
  try {
    // No certificate was asked for. One that comes anyway names addresses, which the library would ask for revocations.
    if (attestation().get('attStmt').get('x5c') !== undefined) return { kind: 'passkey_invalid' };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return { kind: 'passkey_invalid' };
    const { id, publicKey, counter } = registrationInfo.credential;
    const { transports = [] } = given.response;
    return { kind: 'verified', credential: { id, publicKey, transports, signCount: counter } };
  } catch {
    const kind = await whyRefused(party, given.response.clientDataJSON, () => attestation().get('authData'));
    return { kind };
  }
}

/** A signed challenge as a browser sends it: `toJSON()` of its `PublicKeyCredential`. */
export const Assertion = z
  .object({
    id: z.string().max(1_400),
    rawId: z.string().max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: z.string().max(4_096),
      authenticatorData: z.string().max(2_048),
      signature: z.string().max(2_048),
      userHandle: z.string().max(128).nullish(),
    }),
  })
  .meta({ id: 'Assertion' });
export type Assertion = z.infer<typeof Assertion>;

type VerifiedAssertion =
  | { readonly kind: 'verified'; readonly signCount: number }
  | { readonly kind: Awaited<ReturnType<typeof whyRefused>> };

/**
 * Checks what a passkey has signed: this challenge, at this address, with its user verified. Whether the count has
 * grown is decided where it is written.
 */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  { id, rawId, type, response }: Assertion,
  kept: KeptCredential,
): Promise<VerifiedAssertion> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const [{ verifyAuthenticationResponse }, { isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: kept.id, publicKey: kept.publicKey, counter: 0 },
    });
    if (!verified) return { kind: 'passkey_invalid' };
    return { kind: 'verified', signCount: authenticationInfo.newCounter };
  } catch {
    return { kind: await whyRefused(party, clientDataJSON, () => isoBase64URL.toBuffer(authenticatorData)) };
  }
}

/** What a passkey belongs to, as WebAuthn names it. */
interface RelyingParty {
  /** The name of the site: `verify.example.com`, or `localhost` on one machine. */
  readonly id: string;
  /** The only address of a page that may ask for it. */
  readonly origin: string;
}

/**
 * Whom passkeys are made for here; null where the console has been opened at an address made of numbers, for which
 * browsers make none.
 * @param host the header `Host`, which the console's API has found to be ours.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>, host: string): RelyingParty | null {
  const url = publicUrl?.protocol === 'https:' ? publicUrl : URL.parse(`http://${host}`);
  if (!url || isAddressOfNumbers(url)) return null;
  return { id: url.hostname, origin: url.origin };
}

type WhyRefused = 'passkey_elsewhere' | 'passkey_unverified' | 'passkey_invalid';

/**
 * Why the library refused what an authenticator signed, read off the answer itself: the library's messages are for
 * developers.
 */
async function whyRefused(
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
