import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { drawRandom } from '../draw-random.ts';

/** An AES-256-GCM data key; `id` is its `data_key` row and part of every value it encrypted. */
export interface DataKey {
  readonly id: number;
  /** A `KeyObject`, because Node imports plain bytes again at every call: 12 µs per encryption instead of 38. */
  readonly secret: KeyObject;
}

const VERSION = 1;
const HEADER_BYTES = 5; // version, then the data key's id
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `data_key.id` is an `integer`. */
const DATA_KEY_ID_MAX = 0x7fff_ffff;

/** A value that cannot be decrypted: corrupt, truncated, moved from another row, or encrypted by another key. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/**
 * Encrypts `plaintext` for one place, `table.column:row`. The place is authenticated, so a value copied to another row
 * cannot be decrypted there. Layout: version (1), data key id (4), IV (12), ciphertext, tag (16).
 */
export function encrypt(key: DataKey, place: string, plaintext: string | Uint8Array): Buffer {
  const iv = drawRandom(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final(); // in this mode it only makes the tag
  // It lives until its commit: a slice of Node's pool would keep the rest of the pool alive.
  const encrypted = Buffer.allocUnsafeSlow(HEADER_BYTES + IV_BYTES + body.length + TAG_BYTES);
  encrypted.writeUInt8(VERSION, 0);
  encrypted.writeUInt32BE(key.id, 1);
  encrypted.set(iv, HEADER_BYTES);
  encrypted.set(body, HEADER_BYTES + IV_BYTES);
  encrypted.set(cipher.getAuthTag(), HEADER_BYTES + IV_BYTES + body.length);
  return encrypted;
}

/** The id of the data key that encrypted a value. @throws {DecryptionError} when it lacks a valid header. */
export function keyIdOf(encrypted: Buffer): number {
  if (encrypted.length < HEADER_BYTES + IV_BYTES + TAG_BYTES || encrypted.readUInt8(0) !== VERSION) {
    throw new DecryptionError('Not an encrypted value.');
  }
  const id = encrypted.readUInt32BE(1);
  // A larger id would fail the whole statement in the database, so one corrupt row would stop every claim.
  if (id > DATA_KEY_ID_MAX) throw new DecryptionError('Not an encrypted value.');
  return id;
}

/** The plaintext. @throws {DecryptionError} when the value was not encrypted for this place. */
export function decrypt(key: DataKey, place: string, encrypted: Buffer): Buffer {
  const iv = encrypted.subarray(HEADER_BYTES, HEADER_BYTES + IV_BYTES);
  const tag = encrypted.subarray(encrypted.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.secret, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(tag);
  try {
    const plaintext = decipher.update(
      encrypted.subarray(HEADER_BYTES + IV_BYTES, encrypted.length - TAG_BYTES),
    );
    decipher.final(); // in this mode it only checks the tag
    return plaintext;
  } catch (err) {
    throw new DecryptionError(`A value at ${place.split(':', 1)[0]} cannot be decrypted.`, { cause: err });
  }
}

/** Returns the decrypted value; null if it cannot be decrypted, so that one bad row does not fail a page. */
export async function decryptOrNull<T>(decrypting: Promise<T>): Promise<T | null> {
  try {
    return await decrypting;
  } catch (err) {
    if (err instanceof DecryptionError) return null;
    throw err;
  }
}
