/**
 * A key no other call has: 128 random bits in hex. Not `crypto.randomUUID`, which browsers have only on https pages.
 */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError for anything but 1 to 255 printable ASCII characters, which is what the service takes. */
export function assertIdempotencyKey(key: unknown): asserts key is string {
  // A space at an end would be trimmed on its way, and the service would see another key.
  if (typeof key !== 'string' || !/^(?! )[\x20-\x7e]{1,255}(?<! )$/.test(key)) {
    throw new TypeError(
      'idempotencyKey must be 1 to 255 printable ASCII characters, without a space at an end',
    );
  }
}
