import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { type VerifierKey, verifierKeyOf } from './verifier-key.ts';

/** What seals the audit. */
export interface SealKey {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
  /** That one first, then those of the keys before it, which verify what they sealed. */
  readonly verifiers: readonly VerifierKey[];
}

/** A new key, as PEM. */
export function createSealKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}

/**
 * Reads a key, with the keys before it behind it, private or public. A key's name holds a part of its hash, so that the
 * logs of two services are never taken for each other.
 * @throws {TypeError} with a sentence for a person, which holds nothing of the text.
 */
export function readSealKey(text: string): SealKey {
  const pems = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  const privateKey = keyIn(() => createPrivateKey(pems[0] ?? ''));
  const publicKeys = pems.map((pem) => keyIn(() => createPublicKey(pem)));
  const verifiers = publicKeys.flatMap((key) =>
    key?.asymmetricKeyType === 'ed25519' ? [verifierOf(key)] : [],
  );
  const [verifier] = verifiers;
  if (!privateKey || !verifier || verifiers.length < pems.length)
    throw new TypeError(
      'expected an Ed25519 private key as PEM, as openssl genpkey -algorithm ed25519 makes one',
    );
  return { privateKey, verifier, verifiers };
}

function verifierOf(key: KeyObject): VerifierKey {
  const fingerprint = hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 8);
  return verifierKeyOf(`insurance-verification/audit/${fingerprint}`, key);
}

function keyIn(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
