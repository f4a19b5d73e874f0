/** JSON fields in which clearinghouses put the X12 text. */
const FIELDS = ['x12', 'X12', 'payload', 'Payload', 'response', 'data'];

/**
 * The X12 text of an answer: the body itself, the field of a JSON object, or the part of a multipart form that begins
 * with an ISA. The body alone tells which, since content types are wrong as often as right, and kept evidence has none.
 * A body that holds no X12 is given as it is: the reader says what is wrong with it.
 */
export function unwrapAnswer(body: string): string {
  if (body.trimStart().startsWith('ISA')) return body;
  const boundary = /(?:^|\n)--([^\s"]{1,70})\r?\n/.exec(body)?.[1];
  if (boundary !== undefined) return payloadOfParts(body.split(`--${boundary}`)) ?? body;
  return body.trimStart().startsWith('{') ? (payloadOfJson(body) ?? body) : body;
}

function payloadOfParts(parts: readonly string[]): string | undefined {
  const contents = parts.map((part) => part.slice(blankLineEnd(part)));
  return contents.find((content) => content.trimStart().startsWith('ISA'));
}

/** Headers of a part end at its first blank line. */
function blankLineEnd(part: string): number {
  const match = /\r?\n\r?\n/.exec(part);
  return match ? match.index + match[0].length : 0;
}

function payloadOfJson(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined; // told by the reader of X12, which finds none
  }
  const fields = new Map(Object.entries(value as object));
  return FIELDS.map((name) => fields.get(name)).find((text) => typeof text === 'string');
}
