import type { NewCredential } from '@insurance-verification/schema';
import type { KeptCredential } from '@insurance-verification/store';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { RelyingParty } from './relying-party.ts';
import { whyRefused } from './why-refused.ts';

/**
 * The algorithms that passkeys sign with here, by their COSE numbers: Ed25519, ES256, RS256. Named, since the library
 * would ask for ML-DSA first, which Node has as an experiment and warns of.
 */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

type Verified =
  | { readonly kind: 'verified'; readonly credential: KeptCredential & { readonly signCount: number } }
  | { readonly kind: Awaited<ReturnType<typeof whyRefused>> };

/** Checks a passkey that a browser has just made for this challenge, with its user verified. */
export async function verifyNewCredential(
  party: RelyingParty,
  challenge: string,
  given: NewCredential,
): Promise<Verified> {
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
