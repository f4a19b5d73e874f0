/**
 * JSON that is safe on a terminal: also escapes what `JSON.stringify` leaves, but a terminal acts on (DEL, the C1
 * controls) or reorders (bidirectional marks). Parsing it yields the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
