/** A unique key: 128 random bits in hex. Not `crypto.randomUUID`, which browsers offer only on https pages. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError unless the key is 1 to 255 printable ASCII characters, as the service requires. */
export function assertIdempotencyKey(key: unknown): asserts key is string {
  // A leading or trailing space would be trimmed in transit, so the service would see another key.
  if (typeof key !== 'string' || !/^(?! )[\x20-\x7e]{1,255}(?<! )$/.test(key)) {
    throw new TypeError(
      'idempotencyKey must be 1 to 255 printable ASCII characters, without a space at an end',
    );
  }
}
