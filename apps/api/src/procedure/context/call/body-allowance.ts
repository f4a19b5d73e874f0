import type { BodyOwner, BodyRoom } from '../app/body-room.ts';

/** The maximum size of one call's body, and the room it has taken. */
export class BodyAllowance {
  readonly bytesMax: number;
  readonly #room: BodyRoom;
  readonly #owner: BodyOwner;
  #takenBytes = 0;
  #isOver = false;

  constructor(room: BodyRoom, owner: BodyOwner, bytesMax: number) {
    this.#room = room;
    this.#owner = owner;
    this.bytesMax = bytesMax;
  }

  /** Bytes of room taken. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes room for more bytes if it is free now. */
  take(byteCount: number): boolean {
    if (!this.#room.take(this.#owner, byteCount)) return false;
    this.#takenBytes += byteCount;
    return true;
  }

  /** Waits for room for more bytes. @returns false when none came free in time. */
  async waitFor(byteCount: number): Promise<boolean> {
    if (!(await this.#room.waitFor(this.#owner, byteCount))) return false;
    this.#takenBytes += byteCount;
    if (this.#isOver) this.release(); // the client disconnected meanwhile
    return !this.#isOver;
  }

  /** Gives all room back: the call is answered. */
  release(): void {
    this.#isOver = true;
    if (this.#takenBytes > 0) this.#room.giveBack(this.#owner, this.#takenBytes);
    this.#takenBytes = 0;
  }
}
