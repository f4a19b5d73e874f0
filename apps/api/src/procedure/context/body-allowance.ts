import type { BodyOwner, BodyRoom } from './body-room.ts';

/** How large the body of one call may be, and the room it has taken. */
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

  /** Bytes it has taken room for. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes room for more bytes if there is some now. */
  take(byteCount: number): boolean {
    if (!this.#room.take(this.#owner, byteCount)) return false;
    this.#takenBytes += byteCount;
    return true;
  }

  /** The same when there is some. @returns false when none came free in time. */
  async waitFor(byteCount: number): Promise<boolean> {
    if (!(await this.#room.waitFor(this.#owner, byteCount))) return false;
    this.#takenBytes += byteCount;
    if (this.#isOver) this.release(); // the client went away meanwhile
    return !this.#isOver;
  }

  /** Gives all back: the call is answered. */
  release(): void {
    this.#isOver = true;
    if (this.#takenBytes > 0) this.#room.giveBack(this.#owner, this.#takenBytes);
    this.#takenBytes = 0;
  }
}
