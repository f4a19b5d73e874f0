import { type RefObject, useEffect, useRef } from 'react';

/** Sets `data-more` on an element while its content overflows at the right. */
export function useMore(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return undefined;
    const look = () => {
      // A pixel less: widths are rounded, each for itself.
      const isMore = frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1;
      frame.toggleAttribute('data-more', isMore);
    };
    const resized = new ResizeObserver(look);
    resized.observe(frame);
    for (const child of frame.children) resized.observe(child);
    frame.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      frame.removeEventListener('scroll', look);
    };
  }, []);
  return ref;
}
