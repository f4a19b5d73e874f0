import type { Scope } from '@insurance-verification/schema';
import type { Me } from '../session/use-me.ts';

/** A page that the navigation leads to, and the scopes of which any one opens it. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Pages below this path may be open without these scopes: a verifier opens the request that they lease. */
  readonly opensBelow?: true;
}

/** In order of preference: a person starts at the first page that their scopes open. */
const PLACES: readonly Place[] = [
  { path: '/work', name: 'Work', scopes: ['verify'] },
  { path: '/requests', name: 'Requests', scopes: ['requests', 'operate'], opensBelow: true },
  { path: '/deliveries', name: 'Deliveries', scopes: ['requests', 'operate'] },
  { path: '/receivers', name: 'Receivers', scopes: ['operate'] },
  { path: '/held', name: 'Held outputs', scopes: ['operate'] },
  { path: '/reports', name: 'Reports', scopes: ['requests', 'operate'] },
  { path: '/accounts', name: 'Accounts', scopes: ['admin'] },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
  { path: '/staff', name: 'Staff', scopes: ['admin'] },
  { path: '/privacy', name: 'Privacy', scopes: ['privacy'] },
  { path: '/audit', name: 'Audit', scopes: ['audit'] },
];

const isOpenTo = (place: Place, { scopes, read_scopes: readScopes }: Me): boolean =>
  place.scopes.some((scope) => scopes.includes(scope) || readScopes.includes(scope));

/** The pages that these scopes open. Only for the navigation: the service checks each call. */
export const placesOf = (me: Me): Place[] => PLACES.filter((place) => isOpenTo(place, me));

/** The place whose path an address begins with. */
export const placeAt = (path: string): Place | undefined =>
  PLACES.find((place) => path === place.path || path.startsWith(`${place.path}/`));

/** The place of an address where these scopes do not open it; undefined where they do. */
export function placeClosedTo(me: Me, path: string): Place | undefined {
  const place = placeAt(path);
  if (!place || isOpenTo(place, me) || (place.opensBelow && path !== place.path)) return undefined;
  return place;
}
