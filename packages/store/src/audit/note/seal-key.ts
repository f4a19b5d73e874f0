import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { type VerifierKey, verifierKeyOf } from './verifier-key.ts';

/** What seals the audit. */
export interface SealKey {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
}

/** A new key, as PEM. */
export function createSealKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}

/**
 * Reads a key. Its name holds a part of its hash, so that the logs of two services are never taken for each other.
 * @throws {TypeError} with a sentence for a person, which holds nothing of the text.
 */
export function readSealKey(pem: string): SealKey {
  const privateKey = privateKeyIn(pem);
  if (privateKey?.asymmetricKeyType !== 'ed25519')
    throw new TypeError(
      'expected an Ed25519 private key as PEM, as openssl genpkey -algorithm ed25519 makes one',
    );
  const publicKey = createPublicKey(privateKey);
  const fingerprint = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 8);
  return { privateKey, verifier: verifierKeyOf(`insurance-verification/audit/${fingerprint}`, publicKey) };
}

function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
