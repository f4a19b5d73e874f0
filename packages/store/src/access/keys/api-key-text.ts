import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const SECRET_BYTES = 20; // 160 bits
const BOOTSTRAP_FORM = /^[\x21-\x7e]{20,200}$/;
const ISSUED_FORM = /^ivk_(?:live|test)_[0-9a-f]{48}$/;

/** A new key: `ivk_`, the account's mode, 160 random bits and a CRC-32 of all before it, in hex. */
export function createApiKeyText(mode: 'live' | 'test'): string {
  const body = `ivk_${mode}_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return body + checksum(body);
}

/**
 * Whether a text may be a key at all, and so also the form of `BOOTSTRAP_API_KEY`: a mistyped or invented one in the
 * issued form is known by its checksum, without asking the database. Any other text may be a bootstrap key, if it is
 * 20–200 printable characters.
 */
export function mayBeApiKey(text: string): boolean {
  if (ISSUED_FORM.test(text)) return checksum(text.slice(0, -8)) === text.slice(-8);
  return BOOTSTRAP_FORM.test(text);
}

/** What a person sees of a key afterwards. */
export function displayPrefix(text: string): string {
  return text.startsWith('ivk_') ? text.slice(0, 13) : `${text.slice(0, 4)}…`;
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
