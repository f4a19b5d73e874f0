import { JsonFault, JsonScanner } from './json-scanner.ts';

/** Where a text in UTF-8 stops being JSON, as an index into its bytes; null when it is JSON. V8's own messages often name no place. */
export function findJsonFault(bytes: Buffer): number | null {
  const scanner = new JsonScanner(bytes);
  try {
    scanner.space();
    scanner.value();
    scanner.space();
  } catch (err) {
    if (err instanceof JsonFault) return err.at;
    throw err;
  }
  return scanner.at < bytes.length ? scanner.at : null;
}
