import type { Scope } from '@insurance-verification/schema';
import type { Me } from '../session/use-me.ts';

/** A page that the navigation leads to, and the scopes of which any one opens it. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** What lies below may be another's as well: a lease opens its request to a verifier. */
  readonly opensBelow?: true;
}

/** In the order of a role's first page: who has several scopes starts at the first of them. */
const PLACES: readonly Place[] = [
  { path: '/work', name: 'Work', scopes: ['verify'] },
  { path: '/requests', name: 'Requests', scopes: ['requests', 'operate'], opensBelow: true },
  { path: '/deliveries', name: 'Deliveries', scopes: ['requests', 'operate'] },
  { path: '/held', name: 'Held outputs', scopes: ['operate'] },
  { path: '/reports', name: 'Reports', scopes: ['requests', 'operate'] },
  { path: '/accounts', name: 'Accounts', scopes: ['admin'] },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
  { path: '/staff', name: 'Staff', scopes: ['admin'] },
  { path: '/audit', name: 'Audit', scopes: ['audit'] },
];

const isOpenTo = (place: Place, { scopes, read_scopes: readScopes }: Me): boolean =>
  place.scopes.some((scope) => scopes.includes(scope) || readScopes.includes(scope));

/** The pages that somebody with these scopes can use. A link is a convenience: the service itself refuses the rest. */
export const placesOf = (me: Me): Place[] => PLACES.filter((place) => isOpenTo(place, me));

/** The place that an address is in. */
export const placeAt = (path: string): Place | undefined =>
  PLACES.find((place) => path === place.path || path.startsWith(`${place.path}/`));

/** The place of an address that a role does not open. */
export function placeClosedTo(me: Me, path: string): Place | undefined {
  const place = placeAt(path);
  if (!place || isOpenTo(place, me) || (place.opensBelow && path !== place.path)) return undefined;
  return place;
}
