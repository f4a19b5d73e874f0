/** Whose bytes they are. */
export interface BodyOwner {
  /** An account, or a client without a valid key. */
  readonly id: string;
  readonly isStranger: boolean;
}

/** The room in memory for bodies under way. */
export interface BodyRoom {
  /** Takes room for bytes if there is some now. */
  take(owner: BodyOwner, byteCount: number): boolean;
  /** Waits for room. @returns false when none came free in time, or too many wait. */
  waitFor(owner: BodyOwner, byteCount: number): Promise<boolean>;
  /** Gives room back, and lets those in who wait for it, the first first. */
  giveBack(owner: BodyOwner, byteCount: number): void;
}
