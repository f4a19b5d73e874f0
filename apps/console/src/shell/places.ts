import type { Scope } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { api } from '../api/api.ts';
import { useTurnedZone } from '../look/time.tsx';
import type { Me } from '../session/use-me.ts';

/** A page that the navigation leads to, and the scopes that open it, any one of them. */
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
  { path: '/batches', name: 'Batches', scopes: ['requests'] },
  { path: '/deliveries', name: 'Deliveries', scopes: ['requests', 'operate'] },
  { path: '/endpoints', name: 'Endpoints', scopes: ['requests', 'operate'] },
  { path: '/receivers', name: 'Receivers', scopes: ['operate'] },
  { path: '/held', name: 'Held outputs', scopes: ['operate'] },
  { path: '/reports', name: 'Reports', scopes: ['requests', 'operate'] },
  { path: '/known-answers', name: 'Known answers', scopes: ['operate'] },
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

/** How much calls for somebody at a page of the navigation. */
export interface Count {
  readonly count: number;
  readonly word: string;
  /** The list of exactly these, where the page has others as well. */
  readonly href?: string;
}

/** A request becomes late by the clock, without an event. */
const LATE_MS = 60_000;

/** What calls somebody to a page, by its path: what waits for a person, is held, overdue or was given up. */
export function useCounts({ scopes, read_scopes: readScopes }: Me): ReadonlyMap<string, Count> {
  const work = useQuery({
    queryKey: ['work.stats', undefined],
    queryFn: ({ signal }) => api.work.stats.query({ verifier: 'person' }, { signal }),
    placeholderData: keepPreviousData,
    enabled: scopes.includes('verify'),
  });
  const held = useQuery({
    queryKey: ['heldOutputs.stats'],
    queryFn: ({ signal }) => api.heldOutputs.stats.query(undefined, { signal }),
    enabled: scopes.includes('operate'),
  });
  const requests = useQuery({
    queryKey: ['requests.stats'],
    queryFn: ({ signal }) => api.requests.stats.query(undefined, { signal }),
    enabled: [...scopes, ...readScopes].some((scope) => scope === 'requests' || scope === 'operate'),
    refetchInterval: LATE_MS,
  });
  const counts: readonly (readonly [string, string, number | undefined, string?])[] = [
    ['/work', 'wait', work.data?.items.reduce((sum, { claimable_count: count }) => sum + count, 0)],
    ['/held', 'held', held.data?.open_count],
    ['/requests', 'overdue', requests.data?.late_count, '/requests?late=yes'],
    ['/deliveries', 'given up', requests.data?.given_up_count, '/deliveries?status=exhausted'],
  ];
  return new Map(
    counts.flatMap(([path, word, count, href]) =>
      count ? [[path, { count, word, ...(href !== undefined && { href }) }] as const] : [],
    ),
  );
}

/**
 * Keeps the time zone that the key `u` chose in the address of every page, so that a copied link shows the same times.
 */
export function useZoneInAddress(): void {
  const zone = useTurnedZone();
  const [path] = useLocation();
  const search = useSearch();
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (params.get('zone') === zone) return;
    if (zone === null) params.delete('zone');
    else params.set('zone', zone);
    const asked = params.size === 0 ? '' : `?${params.toString()}`;
    history.replaceState(history.state, '', `${location.pathname}${asked}${location.hash}`);
  }, [path, search, zone]);
}
