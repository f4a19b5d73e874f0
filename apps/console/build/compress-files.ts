import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Below this, what the header of an encoding costs is not won back. */
const BYTES_MIN = 512;

/** Writes each file of a folder once more as brotli and as gzip, at their best: it is done once for every reader. */
export function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(path)) continue;
    const plain = readFileSync(path);
    if (plain.length < BYTES_MIN) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(plain));
    writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
  }
}
