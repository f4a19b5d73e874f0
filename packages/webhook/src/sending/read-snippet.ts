import type { Readable } from 'node:stream';

const READ_BYTES_MAX = 65_536;
const SNIPPET_BYTES_MAX = 2048;

/**
 * Reads the first 2 KB of a response body. A body that ends within 64 KB and in time leaves the connection reusable; at
 * either bound the stream and its socket are destroyed. Never rejects: the status line has already decided, and of a
 * body that is reset, truncated or late, what arrived is the snippet.
 *
 * By events: an async iterator over the body took 2 µs more of each attempt.
 */
export function readSnippet(body: Readable, timeoutMs: number): Promise<Uint8Array | null> {
  const kept: Uint8Array[] = [];
  let readBytes = 0;
  return new Promise((resolve) => {
    const timer = setTimeout(() => body.destroy(), timeoutMs);
    body.on('data', (chunk: Uint8Array) => {
      if (readBytes < SNIPPET_BYTES_MAX) kept.push(chunk.subarray(0, SNIPPET_BYTES_MAX - readBytes));
      readBytes += chunk.length;
      if (readBytes >= READ_BYTES_MAX) body.destroy();
    });
    body.on('error', () => undefined);
    body.on('close', () => {
      clearTimeout(timer);
      resolve(readBytes === 0 ? null : new Uint8Array(Buffer.concat(kept)));
    });
  });
}
