/** Bytes of bodies under way at once: with all that is made of them, below what a small container has. */
const ROOM_BYTES = 32 * 1024 * 1024;

/** Of those, what one address may have: a key is only looked up when its first tool asks the service. */
const ADDRESS_BYTES = ROOM_BYTES / 4;

/** The room in memory for bodies under way, however many connections send them. */
export class BodyRoom {
  #heldBytes = 0;
  readonly #heldByAddress = new Map<string, number>();

  /** @returns false, and nothing is taken, when there is not so much room left. */
  take(address: string, byteCount: number): boolean {
    const own = (this.#heldByAddress.get(address) ?? 0) + byteCount;
    if (own > ADDRESS_BYTES || this.#heldBytes + byteCount > ROOM_BYTES) return false;
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
