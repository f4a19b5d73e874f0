/**
 * Gives a browser whose language is no valid tag, such as `en-US@posix` where it was started without a locale, a valid
 * one: uPlot reads the number format as it loads, and would throw.
 */
export function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}
