import { JsonFault, JsonScanner } from './json-scanner.ts';

/** The byte index where a UTF-8 text stops being JSON; null if it is JSON. V8's messages often give no position. */
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
