import { useEffect } from 'react';
import { shownText } from '../text/shown-text.ts';

/** Sets the title of the tab. It never holds patient data. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${shownText(title)} · Insurance Verification`;
  }, [title]);
}
