/** How much may be held at once, since the operation that fills it is open to anyone. */
export interface HeldCapacity {
  readonly rowCountMax: number;
  readonly byteCountMax: number;
  /** Of one anonymous client. */
  readonly clientRowCountMax: number;
}

/**
 * Half of it, at most, is for anonymous senders, whose newer outputs displace their oldest. The rest is for verifiers'
 * keys, and what strangers leave of their half.
 */
export const HELD_CAPACITY: HeldCapacity = {
  rowCountMax: 10_000,
  byteCountMax: 256 * 1024 * 1024,
  clientRowCountMax: 200,
};

/** Nothing was kept: there is no room until an operator settles some, or they expire. */
export interface NoRoom {
  readonly kind: 'no_room';
}
