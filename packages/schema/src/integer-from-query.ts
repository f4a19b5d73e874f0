/**
 * A query text as the number it writes, read as FastAPI reads an integer parameter; any other text comes back as it is,
 * so that the model then answers `int_parsing`. The models themselves never coerce.
 */
export function integerFromQuery(text: string): number | string {
  return /^\s*[+-]?\d+(\.0*)?\s*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
