/** Limits on held outputs, since the operation that creates them is open to anyone. */
export interface HeldCapacity {
  readonly rowCountMax: number;
  readonly byteCountMax: number;
  /** Per anonymous client. */
  readonly clientRowCountMax: number;
}

/**
 * At most half of it is for anonymous senders, whose newer outputs displace their oldest. Verifiers' keys get the rest,
 * plus the unused part of that half.
 */
export const HELD_CAPACITY: HeldCapacity = {
  rowCountMax: 10_000,
  byteCountMax: 256 * 1024 * 1024,
  clientRowCountMax: 200,
};

/** Nothing was stored: there is no room until an operator settles some outputs, or they expire. */
export interface NoRoom {
  readonly kind: 'no_room';
}
