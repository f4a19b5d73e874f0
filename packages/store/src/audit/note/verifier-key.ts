import { createPublicKey, hash, type KeyObject } from 'node:crypto';

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
export function verifierKeyOf(name: string, key: KeyObject): VerifierKey {
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
 * @throws {TypeError} with a sentence for a person, when the text is none.
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
