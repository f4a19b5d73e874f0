import ipaddr from 'ipaddr.js';

/** The kind of network an address is in, for counts that must not contain the address. */
export type AddressClass = 'loopback' | 'private' | 'public' | 'unknown';

const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]);

export function addressClassOf(address: string | null): AddressClass {
  if (address === null) return 'unknown';
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return 'loopback';
  return PRIVATE_RANGES.has(range) ? 'private' : 'public';
}
