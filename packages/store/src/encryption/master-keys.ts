import { randomBytes } from 'node:crypto';

/** The keys of `ENCRYPTION_KEY`: the first one encrypts, all of them decrypt. */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly all: ReadonlyMap<string, MasterKey>;
}

export interface MasterKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Parses `id:base64-of-32-bytes[,id:…]`. Ids are 1–32 letters, digits, `-` or `_`.
 * @throws {TypeError} naming the entry by its position, never by its text, which is a secret.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const keys = text.split(',').map((entry, index) => parseMasterKey(entry.trim(), index + 1));
  const all = new Map(keys.map((key) => [key.id, key]));
  if (all.size !== keys.length) throw new TypeError('ENCRYPTION_KEY names one key id twice.');
  const [current] = keys;
  if (!current) throw new TypeError('ENCRYPTION_KEY is empty.');
  return { current, all };
}

/** A new key in the text form that {@link parseMasterKeys} reads. */
export function createMasterKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

function parseMasterKey(entry: string, position: number): MasterKey {
  const match = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry);
  const [, id, base64] = match ?? [];
  if (!id || !base64) {
    throw new TypeError(
      `ENCRYPTION_KEY, entry ${position}: expected id:base64-of-32-bytes, for example the output of ` +
        `\`echo "k1:$(openssl rand -base64 32)"\`.`,
    );
  }
  return { id, bytes: Buffer.from(base64, 'base64') };
}

/** The database was written under another master key. Nothing was read or written. */
export class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError';
}
