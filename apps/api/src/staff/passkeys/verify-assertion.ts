import type { KeptCredential } from '@insurance-verification/store';
import * as z from 'zod';
import type { RelyingParty } from './relying-party.ts';
import { whyRefused } from './why-refused.ts';

/** What a browser sends of a passkey that has signed a challenge: `toJSON()` of its `PublicKeyCredential`. */
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

type Verified =
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
): Promise<Verified> {
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
