/** Bytes from which freeing is worth it. Smaller buffers may share an `ArrayBuffer`. */
const LARGE_BYTES = 16_384;

/**
 * Frees a large buffer's memory now: the garbage collector sees a small object, not the megabyte behind it. Without
 * this, a flood of large bodies took 40 MB more. Later readers find the buffer empty.
 */
export function discard({ buffer, length }: Buffer): void {
  if (length >= LARGE_BYTES && length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
