/** Bytes of bodies in flight at once: with everything derived from them, less than a small container's memory. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/** The share of one address: a key is only verified when its first tool calls the service. */
const ADDRESS_BYTES = MEMORY_BYTES / 4;

/** The memory budget for bodies in flight, across all connections. */
export class BodyMemory {
  #heldBytes = 0;
  readonly #heldByAddress = new Map<string, number>();

  /** @returns false, and takes nothing, when the budget is exhausted. */
  take(address: string, byteCount: number): boolean {
    const own = (this.#heldByAddress.get(address) ?? 0) + byteCount;
    if (own > ADDRESS_BYTES || this.#heldBytes + byteCount > MEMORY_BYTES) return false;
    this.#heldBytes += byteCount;
    this.#heldByAddress.set(address, own);
    return true;
  }

  giveBack(address: string, byteCount: number): void {
    const own = (this.#heldByAddress.get(address) ?? 0) - byteCount;
    if (own > 0) this.#heldByAddress.set(address, own);
    else this.#heldByAddress.delete(address);
    this.#heldBytes -= byteCount;
  }
}
