import { useEffect, useLayoutEffect } from 'react';

/** The scroll position of each address, in pixels. */
const places = new Map<string, number>();
let cameBack = false;
/** The path that Back led to: a change of the query string alone, such as the zone, does not leave it. */
let cameTo = '';

const note = () => places.set(location.href, scrollY);
addEventListener('scroll', note, { passive: true });
addEventListener('popstate', () => {
  cameBack = true;
  cameTo = location.pathname;
});
// wouter's own names, sent whenever the address is changed.
addEventListener('pushState', () => (cameBack = false));
addEventListener('replaceState', () => (cameBack &&= location.pathname === cameTo));
// The browser would do it before the page has its rows again.
history.scrollRestoration = 'manual';

/** Scrolls a new page to its top, unless Back led to it. */
export function useTopOfPage(title: string): void {
  useLayoutEffect(() => {
    if (!cameBack) scrollTo(0, 0);
  }, [title]);
}

/** Restores the scroll position after Back, once the rows are loaded. */
export function useKeptPlace(isThere: boolean): void {
  useEffect(() => {
    if (isThere && cameBack) scrollTo(0, places.get(location.href) ?? 0);
  }, [isThere]);
}
