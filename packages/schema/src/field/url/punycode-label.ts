/*
 * RFC 3492, section 5, with its parameters, implemented here because browsers do not expose the runtime's decoder.
 * Decoding only: the platform's URL parser encodes.
 */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const CODE_POINT_MAX = 0x10ffff;

/** Whether a lower-case `xn--` label is valid: it decodes, and encodes back to itself. */
export function isPunycodeLabel(label: string): boolean {
  const decoded = decode(label.slice('xn--'.length));
  if (decoded === null) return false;
  const address = `http://${decoded}/`;
  return URL.canParse(address) && new URL(address).hostname === label;
}

function decode(text: string): string | null {
  const delimiter = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), (char) => char.charCodeAt(0));
  let codePoint = 128;
  let position = 0;
  let bias = 72;
  for (let index = delimiter + 1; index < text.length;) {
    const start = position;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(index++));
      if (digit === null) return null;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = output.length + 1;
    bias = adapt(position - start, count, start === 0);
    codePoint += Math.floor(position / count);
    if (codePoint > CODE_POINT_MAX) return null;
    position %= count;
    output.splice(position++, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

/** The value of a digit, a–z then 0–9; null past the end and for any other character. */
function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : null;
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
