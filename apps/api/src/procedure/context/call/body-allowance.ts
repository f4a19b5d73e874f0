/** The owner of a body's bytes. */
export interface BodyOwner {
  /** An account, or a client without a valid key. */
  readonly id: string;
  readonly isStranger: boolean;
}

/** The memory budget for bodies under way. */
export interface BodyMemory {
  /** Takes bytes of it if they are free now. */
  take(owner: BodyOwner, byteCount: number): boolean;
  /** Waits for bytes. @returns false when none came free in time or too many wait. */
  waitFor(owner: BodyOwner, byteCount: number): Promise<boolean>;
  /** Gives bytes back and admits waiting bodies, oldest first. */
  giveBack(owner: BodyOwner, byteCount: number): void;
}

/** The maximum size of one call's body, and the memory it has taken. */
export class BodyAllowance {
  readonly bytesMax: number;
  readonly #memory: BodyMemory;
  readonly #owner: BodyOwner;
  #takenBytes = 0;
  #isOver = false;

  constructor(memory: BodyMemory, owner: BodyOwner, bytesMax: number) {
    this.#memory = memory;
    this.#owner = owner;
    this.bytesMax = bytesMax;
  }

  /** Bytes of memory taken. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes memory for more bytes if it is free now. */
  take(byteCount: number): boolean {
    if (!this.#memory.take(this.#owner, byteCount)) return false;
    this.#takenBytes += byteCount;
    return true;
  }

  /** Waits for memory for more bytes. @returns false when none came free in time. */
  async waitFor(byteCount: number): Promise<boolean> {
    if (!(await this.#memory.waitFor(this.#owner, byteCount))) return false;
    this.#takenBytes += byteCount;
    if (this.#isOver) this.release(); // the client disconnected meanwhile
    return !this.#isOver;
  }

  /** Gives all memory back: the call is answered. */
  release(): void {
    this.#isOver = true;
    if (this.#takenBytes > 0) this.#memory.giveBack(this.#owner, this.#takenBytes);
    this.#takenBytes = 0;
  }
}
