import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';

/** Ed25519, in C2SP's table of signature types. */
const ED25519 = 0x01;
const PUBLIC_KEY_BYTES = 32;

/** Of every Ed25519 public key in DER (RFC 8410): the bytes before its own 32. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key that verifies signed notes. */
export interface VerifierKey {
  readonly name: string;
  /** The first four bytes of a hash over name, type and key, in hexadecimal. */
  readonly id: string;
  readonly key: KeyObject;
  /** `name+id+base64`, as the tools of transparency logs take it. */
  readonly text: string;
}

/** The verifier key of a public key under a name. */
function verifierKeyOf(name: string, key: KeyObject): VerifierKey {
  const typed = Buffer.concat([
    Buffer.of(ED25519),
    key.export({ type: 'spki', format: 'der' }).subarray(DER_PREFIX.length),
  ]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'buffer')
    .subarray(0, 4)
    .toString('hex');
  return { name, id, key, text: `${name}+${id}+${typed.toString('base64')}` };
}

/**
 * Reads a verifier key.
 * @throws {TypeError} with a sentence for a person, when the text is not a key.
 */
export function readVerifierKey(text: string): VerifierKey {
  const [, name = '', id, base64 = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(base64, 'base64');
  if (typed[0] === ED25519 && typed.length === 1 + PUBLIC_KEY_BYTES) {
    const der = Buffer.concat([DER_PREFIX, typed.subarray(1)]);
    const found = verifierKeyOf(name, createPublicKey({ key: der, type: 'spki', format: 'der' }));
    if (found.id === id) return found;
  }
  throw new TypeError('expected a verifier key, name+id+base64, as iv audit key prints it');
}

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
 * Reads a key, followed by the earlier keys, private or public. A key's name holds a part of its hash, so that the
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
