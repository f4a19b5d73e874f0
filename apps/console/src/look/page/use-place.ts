import { useEffect, useLayoutEffect } from 'react';

/** How far each address was scrolled when it was left. */
const places = new Map<string, number>();
let cameBack = false;
/** The page that Back led to: what only changes the rest of its address, such as the zone, is no way forward. */
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

/** Begins a page at its top; one that Back leads to, where it was left. */
export function useTopOfPage(title: string): void {
  useLayoutEffect(() => {
    if (!cameBack) scrollTo(0, 0);
  }, [title]);
}

/** Goes on where a list was left, as soon as its rows are there again. */
export function useKeptPlace(isThere: boolean): void {
  useEffect(() => {
    if (isThere && cameBack) scrollTo(0, places.get(location.href) ?? 0);
  }, [isThere]);
}
