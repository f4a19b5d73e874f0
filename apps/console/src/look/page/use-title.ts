import { useEffect } from 'react';

/** Sets the title of the tab. It never holds patient data. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Insurance Verification`;
  }, [title]);
}
