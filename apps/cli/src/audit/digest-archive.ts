import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { WrongUsageError } from '../failure/failure.ts';

/**
 * The SHA-256 of an archive's text, in hexadecimal. A name that ends in `.gz` is of a compressed one.
 * @throws {WrongUsageError} when the file cannot be read.
 */
export async function digestArchive(path: string): Promise<string> {
  const sha256 = createHash('sha256');
  const file = createReadStream(path);
  try {
    await (path.endsWith('.gz') ? pipeline(file, createGunzip(), sha256) : pipeline(file, sha256));
  } catch (err) {
    throw new WrongUsageError(
      `--archive: ${path} cannot be read (${(err as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
  return sha256.digest('hex');
}
