import { JsonFault, JsonScanner } from './json-scanner.ts';

/** Where a text stops being JSON, as an index into it; null when it is JSON. V8's own messages often name no place. */
export function findJsonFault(text: string): number | null {
  const scanner = new JsonScanner(text);
  try {
    scanner.space();
    scanner.value();
    scanner.space();
  } catch (err) {
    if (err instanceof JsonFault) return err.at;
    throw err;
  }
  return scanner.at < text.length ? scanner.at : null;
}
