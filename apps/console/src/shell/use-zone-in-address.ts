import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useTurnedZone } from '../look/time/zone.ts';

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
