/** The owner of a body's bytes. */
export interface BodyOwner {
  /** An account, or a client without a valid key. */
  readonly id: string;
  readonly isStranger: boolean;
}

/** The memory budget for bodies under way. */
export interface BodyRoom {
  /** Takes room for bytes if it is free now. */
  take(owner: BodyOwner, byteCount: number): boolean;
  /** Waits for room. @returns false when none came free in time or too many wait. */
  waitFor(owner: BodyOwner, byteCount: number): Promise<boolean>;
  /** Gives room back and admits waiting bodies, oldest first. */
  giveBack(owner: BodyOwner, byteCount: number): void;
}
