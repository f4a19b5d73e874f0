/**
 * Gives a browser whose language is no tag of a language, such as `en-US@posix` of one that was started without a locale,
 * one that is: uPlot asks for its numbers' format while it is loaded, and would not come.
 */
export function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}
