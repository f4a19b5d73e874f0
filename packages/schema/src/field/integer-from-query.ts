/**
 * A query text as the integer it writes, read as FastAPI reads an integer parameter (`5`, `+5`, ` 5 `, `5.0`, `1_000`).
 * Any other text comes back as it is, so that the model then answers `int_parsing`; the models themselves never coerce.
 * What no double can hold exactly becomes the largest safe integer of its sign, so that a bound, not the type, is told.
 */
export function integerFromQuery(text: string): number | string {
  // The length bound keeps the pattern cheap on hostile input; no integer parameter needs more.
  if (text.length > 100 || !/^\s*[+-]?\d+(_\d+)*(\.0+)?\s*$/.test(text)) return text;
  const number = Number(text.replaceAll('_', ''));
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}
