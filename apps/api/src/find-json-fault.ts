/** Where a text stops being JSON. Thrown only between the functions of this file. */
class JsonFault {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

/**
 * Where a text stops being JSON, as an index into it; null when it is JSON. The place is the one that Python's `json`
 * names up to 3.12 (3.13 moved a trailing comma in an object by one), since that is what FastAPI's clients have seen:
 * the opening quote of an unterminated string, the `u` of a broken escape, the token that stands where another is due.
 * A loop with a stack of its own, so no depth of nesting ends it; V8's messages often name no place at all.
 */
export function findJsonFault(text: string): number | null {
  try {
    readDocument(text);
    return null;
  } catch (err) {
    if (err instanceof JsonFault) return err.at;
    throw err;
  }
}

function readDocument(text: string): void {
  /** What ends each object and list that `at` is in. */
  const closers: string[] = [];
  let at = afterSpace(text, 0);
  for (;;) {
    const closer = text[at] === '{' ? '}' : text[at] === '[' ? ']' : undefined;
    if (closer === undefined) {
      at = afterScalar(text, at);
    } else {
      at = afterSpace(text, at + 1);
      if (text[at] !== closer) {
        closers.push(closer);
        if (closer === '}') at = afterKey(text, at);
        continue;
      }
      at += 1;
    }
    at = afterSpace(text, at);
    while (closers.length > 0 && text[at] === closers.at(-1)) {
      closers.pop();
      at = afterSpace(text, at + 1);
    }
    if (closers.length === 0) {
      if (at < text.length) throw new JsonFault(at);
      return;
    }
    if (text[at] !== ',') throw new JsonFault(at);
    at = afterSpace(text, at + 1);
    if (closers.at(-1) === '}') at = afterKey(text, at);
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}

/** Past a key and its colon, to where the value is due. */
function afterKey(text: string, start: number): number {
  if (text[start] !== '"') throw new JsonFault(start);
  const at = afterSpace(text, afterString(text, start));
  if (text[at] !== ':') throw new JsonFault(at);
  return afterSpace(text, at + 1);
}

// A number ends where it stops being one: in `01` and `1.` what follows is the fault, in `-` there is no number.
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function afterScalar(text: string, start: number): number {
  if (text[start] === '"') return afterString(text, start);
  scalar.lastIndex = start;
  if (!scalar.test(text)) throw new JsonFault(start);
  return scalar.lastIndex;
}

function afterString(text: string, quote: number): number {
  let at = quote + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined) throw new JsonFault(quote);
    if (character === '"') return at + 1;
    if (character < ' ') throw new JsonFault(at);
    at = character === '\\' ? afterEscape(text, at, quote) : at + 1;
  }
}

const shortEscape = /\\["\\/bfnrt]/y;
// Python wants a character behind the four digits before it looks at them.
const unicodeEscape = /\\u[\da-fA-F]{4}(?=[^])/y;

function afterEscape(text: string, backslash: number, quote: number): number {
  const kind = text[backslash + 1];
  if (kind === undefined) throw new JsonFault(quote);
  const escape = kind === 'u' ? unicodeEscape : shortEscape;
  escape.lastIndex = backslash;
  if (!escape.test(text)) throw new JsonFault(kind === 'u' ? backslash + 1 : backslash);
  return escape.lastIndex;
}
