import type { Readable } from 'node:stream';

const READ_BYTES_MAX = 65_536;
const SNIPPET_BYTES_MAX = 2048;

/**
 * Reads the first 2 KB of a response body. A body that ends within 64 KB and in time leaves the connection reusable; at
 * either bound the stream and its socket are destroyed. Never rejects: the status line has already decided.
 */
export async function readSnippet(body: Readable, timeoutMs: number): Promise<Uint8Array | null> {
  const kept: Uint8Array[] = [];
  let readBytes = 0;
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (readBytes < SNIPPET_BYTES_MAX) kept.push(chunk.subarray(0, SNIPPET_BYTES_MAX - readBytes));
      readBytes += chunk.length;
      if (readBytes >= READ_BYTES_MAX) break; // ends the iterator, which destroys the stream
    }
  } catch {
    // Reset, truncated or timed out: what arrived before is the snippet.
  } finally {
    clearTimeout(timer);
  }
  return readBytes === 0 ? null : Buffer.concat(kept);
}
