/**
 * Parses a query text as an integer, as FastAPI does (`5`, `+5`, ` 5 `, `5.0`, `1_000`). Any other text is returned
 * unchanged, so that the model answers `int_parsing`; the models themselves never coerce. A number beyond a double's
 * exact range becomes the largest safe integer of its sign, so that the bound is reported, not the type.
 */
export function integerFromQuery(text: string): number | string {
  // The length bound keeps the pattern cheap on hostile input; no integer parameter needs more.
  if (text.length > 100 || !/^\s*[+-]?\d+(_\d+)*(\.0+)?\s*$/.test(text)) return text;
  const number = Number(text.replaceAll('_', ''));
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}
