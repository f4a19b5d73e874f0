import { useCallback } from 'react';
import { setOutbox } from './outbox/outbox.ts';

/** The place of the outbox on a page; on a page without one it stands below the page. */
export function Outgoing({ className }: { readonly className: string | undefined }) {
  const place = useCallback((element: HTMLElement | null) => setOutbox({ place: element }), []);
  return <div ref={place} className={className} />;
}
