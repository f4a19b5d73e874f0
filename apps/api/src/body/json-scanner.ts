/** The byte index at which a text stops being JSON. */
export class JsonFault {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
export const OPEN_BRACE = 0x7b;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/**
 * Steps through a JSON text in valid UTF-8 without creating its values or one string of the whole: a flood of megabytes
 * would fill the heap with them. Every method moves `at` past what it is named after and throws {@link JsonFault} where
 * the text stops being JSON. The position is the one that Python's `json` reported up to 3.12 (3.13 moved a trailing
 * comma in an object by one), since FastAPI's clients have seen that: the opening quote of an unterminated string, the
 * `u` of a broken escape, the token found instead of the expected one.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  at = 0;
  /** Whether the last string passed has an escape. */
  hasEscape = false;
  /** The opener of each object and list around `at`. */
  #openers = new Uint8Array(64);

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The byte at `at`; 0 at the end: no JSON text contains that byte unescaped. */
  peek(): number {
    return this.bytes[this.at] ?? 0;
  }

  space(): void {
    for (;;) {
      const code = this.peek();
      if (code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  /** An opening brace or bracket and the space after it. @returns whether the object or list is empty. */
  open(): boolean {
    const closer = closerOf(this.peek());
    this.at += 1;
    this.space();
    if (this.peek() !== closer) return false;
    this.at += 1;
    return true;
  }

  /** After an item: a comma, or the closer that matches `opener`. @returns whether the object or list ends. */
  next(opener: number): boolean {
    this.space();
    const code = this.peek();
    if (code !== COMMA && code !== closerOf(opener)) throw new JsonFault(this.at);
    this.at += 1;
    if (code !== COMMA) return true;
    this.space();
    return false;
  }

  /** A key with its quotes, its colon, and the space before the value. @returns the index after the key. */
  key(): number {
    if (this.peek() !== QUOTE) throw new JsonFault(this.at);
    this.string();
    const end = this.at;
    this.space();
    if (this.peek() !== COLON) throw new JsonFault(this.at);
    this.at += 1;
    this.space();
    return end;
  }

  /** Any value. A loop with its own stack instead of recursion, so that any depth of nesting works. */
  value(): void {
    let depth = 0;
    do {
      const code = this.peek();
      if (code !== OPEN_BRACE && code !== OPEN_BRACKET) {
        this.scalar();
      } else if (!this.open()) {
        this.#push(depth, code);
        depth += 1;
        if (code === OPEN_BRACE) this.key();
        continue;
      }
      while (depth > 0) {
        const opener = this.#openers[depth - 1] ?? 0;
        if (!this.next(opener)) {
          if (opener === OPEN_BRACE) this.key();
          break;
        }
        depth -= 1;
      }
    } while (depth > 0);
  }

  /** A byte array: a list of numbers would take eight times the memory for a million of them. */
  #push(depth: number, opener: number): void {
    if (depth === this.#openers.length) {
      const larger = new Uint8Array(depth * 2);
      larger.set(this.#openers);
      this.#openers = larger;
    }
    this.#openers[depth] = opener;
  }

  /** A string, number, `true`, `false` or `null`. */
  scalar(): void {
    const code = this.peek();
    if (code === QUOTE) return this.string();
    if (code === 0x74) return this.#word('true');
    if (code === 0x66) return this.#word('false');
    if (code === 0x6e) return this.#word('null');
    this.#number();
  }

  string(): void {
    const { bytes } = this;
    const quote = this.at;
    this.hasEscape = false;
    for (let at = quote + 1; ; at += 1) {
      const code = bytes[at] ?? 0;
      if (code === QUOTE) {
        this.at = at + 1;
        return;
      }
      if (code === BACKSLASH) at = this.#escape(at, quote);
      else if (code < SPACE) throw new JsonFault(at < bytes.length ? at : quote);
    }
  }

  /** @returns the index of the escape's last character. */
  #escape(backslash: number, quote: number): number {
    const { bytes } = this;
    this.hasEscape = true;
    if (backslash + 1 === bytes.length) throw new JsonFault(quote);
    if (bytes[backslash + 1] === 0x75) {
      // Python requires a character after the four digits before it looks at them.
      if (afterHexDigits(bytes, backslash + 2) < backslash + 6 || backslash + 6 >= bytes.length)
        throw new JsonFault(backslash + 1);
      return backslash + 5;
    }
    if (!isShortEscape(bytes[backslash + 1] ?? 0)) throw new JsonFault(backslash);
    return backslash + 1;
  }

  #word(word: string): void {
    for (let index = 0; index < word.length; index += 1)
      if (this.bytes[this.at + index] !== word.charCodeAt(index)) throw new JsonFault(this.at);
    this.at += word.length;
  }

  /** A number ends where it stops being one: in `01` and `1.` the fault is what follows; `-` holds no number. */
  #number(): void {
    const { bytes } = this;
    const whole = bytes[this.at] === 0x2d ? this.at + 1 : this.at;
    let at = bytes[whole] === 0x30 ? whole + 1 : afterDigits(bytes, whole);
    if (at === whole) throw new JsonFault(this.at);
    if (bytes[at] === 0x2e && isDigit(bytes[at + 1] ?? 0)) at = afterDigits(bytes, at + 1);
    this.at = afterExponent(bytes, at);
  }
}

function closerOf(opener: number): number {
  return opener === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function afterDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at] ?? 0)) at += 1;
  return at;
}

/** The index after at most the four hex digits of a `\u`. */
function afterHexDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (at < start + 4 && isHexDigit(bytes[at] ?? 0)) at += 1;
  return at;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

function afterExponent(bytes: Buffer, start: number): number {
  const code = bytes[start];
  if (code !== 0x65 && code !== 0x45) return start;
  const sign = bytes[start + 1];
  const digits = sign === 0x2b || sign === 0x2d ? start + 2 : start + 1;
  const end = afterDigits(bytes, digits);
  return end === digits ? start : end;
}

/** `"`, `\`, `/` and `b`, `f`, `n`, `r`, `t`. */
function isShortEscape(code: number): boolean {
  return '"\\/bfnrt'.includes(String.fromCharCode(code));
}
