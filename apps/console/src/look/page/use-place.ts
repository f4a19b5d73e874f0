import { useEffect, useLayoutEffect } from 'react';

/** How far each address was scrolled when it was left. */
const places = new Map<string, number>();
let cameBack = false;

const note = () => places.set(location.href, scrollY);
addEventListener('scroll', note, { passive: true });
addEventListener('popstate', () => (cameBack = true));
// wouter's own names, sent whenever it changes the address.
for (const type of ['pushState', 'replaceState']) addEventListener(type, () => (cameBack = false));
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
