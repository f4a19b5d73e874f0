import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET_BYTES = 20; // 160 bits
const BOOTSTRAP_FORM = /^[\x21-\x7e]{20,200}$/;
const ISSUED_FORM = /^ivk_(?:live|test)_[0-9a-f]{48}$/;

/** A new key: `ivk_`, the account's mode, 160 random bits and a CRC-32 of everything before it, in hex. */
export function createApiKeyText(mode: 'live' | 'test'): string {
  const body = `ivk_${mode}_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return body + checksum(body);
}

/**
 * Whether a text can be a key at all; also defines the format of `BOOTSTRAP_API_KEY`. The checksum exposes a mistyped
 * or invented key in the issued format without a database query. Any other text of 20–200 printable characters may be a
 * bootstrap key.
 */
export function mayBeApiKey(text: string): boolean {
  if (ISSUED_FORM.test(text)) return checksum(text.slice(0, -8)) === text.slice(-8);
  return BOOTSTRAP_FORM.test(text);
}

/** The part of a key that is shown after its creation. */
export function displayPrefix(text: string): string {
  return text.startsWith('ivk_') ? text.slice(0, 13) : `${text.slice(0, 4)}…`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
