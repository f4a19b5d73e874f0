import { useEffect } from 'react';

/** The tab's title. Nothing of a patient is ever in it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Insurance Verification`;
  }, [title]);
}
