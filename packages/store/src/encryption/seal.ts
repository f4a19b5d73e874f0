import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { drawRandom } from '../draw-random.ts';

/** An AES-256-GCM data key; `id` is its `data_key` row and part of every value it sealed. */
export interface DataKey {
  readonly id: number;
  /** A `KeyObject`, because Node imports plain bytes again at every call: 12 µs per seal instead of 38. */
  readonly secret: KeyObject;
}

const VERSION = 1;
const HEADER_BYTES = 5; // version, then the data key's id
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `data_key.id` is an `integer`. */
const DATA_KEY_ID_MAX = 0x7fff_ffff;

/** A value that does not open: corrupt, truncated, moved from another row, or sealed by another key. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/**
 * Seals `plaintext` for one place, `table.column:row`. The place is authenticated, so a value copied to another row
 * does not open there. Layout: version (1), data key id (4), IV (12), ciphertext, tag (16).
 */
export function seal(key: DataKey, place: string, plaintext: string | Uint8Array): Buffer {
  const iv = drawRandom(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final(); // in this mode it only makes the tag
  // It lives until its commit: a slice of Node's pool would keep the rest of the pool alive.
  const sealed = Buffer.allocUnsafeSlow(HEADER_BYTES + IV_BYTES + body.length + TAG_BYTES);
  sealed.writeUInt8(VERSION, 0);
  sealed.writeUInt32BE(key.id, 1);
  sealed.set(iv, HEADER_BYTES);
  sealed.set(body, HEADER_BYTES + IV_BYTES);
  sealed.set(cipher.getAuthTag(), HEADER_BYTES + IV_BYTES + body.length);
  return sealed;
}

/** The id of the data key that sealed a value. @throws {SealBrokenError} when it lacks a valid header. */
export function sealedBy(sealed: Buffer): number {
  if (sealed.length < HEADER_BYTES + IV_BYTES + TAG_BYTES || sealed.readUInt8(0) !== VERSION) {
    throw new SealBrokenError('Not a sealed value.');
  }
  const id = sealed.readUInt32BE(1);
  // A larger id would fail the whole statement in the database, so one corrupt row would stop every claim.
  if (id > DATA_KEY_ID_MAX) throw new SealBrokenError('Not a sealed value.');
  return id;
}

/** The plaintext. @throws {SealBrokenError} when the value was not sealed for this place. */
export function open(key: DataKey, place: string, sealed: Buffer): Buffer {
  const iv = sealed.subarray(HEADER_BYTES, HEADER_BYTES + IV_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.secret, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(tag);
  try {
    const plaintext = decipher.update(sealed.subarray(HEADER_BYTES + IV_BYTES, sealed.length - TAG_BYTES));
    decipher.final(); // in this mode it only checks the tag
    return plaintext;
  } catch (err) {
    throw new SealBrokenError(`A value at ${place.split(':', 1)[0]} does not open.`, { cause: err });
  }
}

/** Returns the opened value; null if its seal is broken, so that one bad row does not fail a page. */
export async function openOrNull<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (err) {
    if (err instanceof SealBrokenError) return null;
    throw err;
  }
}
