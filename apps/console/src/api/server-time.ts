/** Milliseconds by which the service's clock is ahead of this computer's. */
let aheadMs = 0;

/** Takes the time from an answer's `Date`, which counts in whole seconds. */
export function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isFinite(serverMs)) return;
  const difference = serverMs - Date.now();
  // Within two seconds the header's own coarseness explains it, and a countdown that jumps would not help.
  aheadMs = Math.abs(difference) > 2_000 ? difference : 0;
}

/** The time of the service's clock, in milliseconds: leases end by it, and this computer's clock may be wrong. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
