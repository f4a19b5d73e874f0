import type { Vault } from '../../encryption/vault.ts';

/** The stored part of an authenticator's credential. */
export interface KeptCredential {
  /** The credential id in base64url. */
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** How the authenticator is reached (`AuthenticatorTransport`): `internal`, `usb`, `hybrid`. */
  readonly transports: readonly string[];
  /** By whose link the session was begun that it was made in; absent for nobody else's. See `two-people.ts`. */
  readonly linkBy?: readonly string[];
}

interface PasskeyRef {
  readonly id: string;
  readonly staff_id: string;
}

/** The additional authenticated data of a sealed credential: in another row or for another person it does not open. */
const placeOf = ({ id, staff_id }: PasskeyRef) => `passkey.credential:${id}.${staff_id}`;

/** The keyed hash that a passkey is found by. */
export const hashOfCredential = (vault: Vault, id: string): Buffer => vault.index('passkey.hash', id);

export function sealCredential(vault: Vault, row: PasskeyRef, kept: KeptCredential): Promise<Buffer> {
  const publicKey = Buffer.from(kept.publicKey).toString('base64url');
  return vault.seal('system', placeOf(row), JSON.stringify({ ...kept, publicKey }));
}

export async function openCredential(
  vault: Vault,
  row: PasskeyRef & { readonly credential: Buffer },
): Promise<KeptCredential> {
  const { publicKey, ...kept } = await vault.openJson<
    Omit<KeptCredential, 'publicKey'> & { publicKey: string }
  >('system', placeOf(row), row.credential);
  return { ...kept, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')) };
}
