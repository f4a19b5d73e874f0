import { type Fault, textField } from './text-and-number.ts';

/** WHATWG's special schemes: their hosts are domains or addresses, and a backslash counts as a slash. */
const SPECIAL_SCHEME = /^(https?|wss?|ftp|file)$/i;

/**
 * Why a text is not a URL, in the words of pydantic (rust-url); null when it is one. The platform's parser runs the
 * same WHATWG algorithm but gives no reason, so it decides, and the reason is derived from the text.
 */
function urlFault(text: string): string | null {
  if (text === '') return 'input is empty';
  if (canParse(text)) return null;
  // WHATWG: leading and trailing C0 controls and spaces, then every tab and newline, are removed first.
  // oxlint-disable-next-line no-control-regex -- the C0 range is what the algorithm names
  const input = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(input)?.[1];
  if (scheme === undefined) return 'relative URL without a base';
  const rest = input.slice(scheme.length + 1);
  if (SPECIAL_SCHEME.test(scheme)) {
    return authorityFault(/^[/\\]*([^/\\?#]*)/.exec(rest)?.[1] ?? '', 'http');
  }
  return authorityFault(/^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '', 'opaque');
}

function authorityFault(authority: string, scheme: 'http' | 'opaque'): string {
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  // A colon inside brackets belongs to an IPv6 address.
  const host = /^(\[[^\]]*\]?)?[^:]*/.exec(hostAndPort)?.[0] ?? '';
  if (host === '') return 'empty host';
  if (canParse(`${scheme}://${host}/`)) return 'invalid port number';
  if (host.startsWith('[')) return 'invalid IPv6 address';
  if (scheme === 'opaque') return 'invalid domain character';
  // Characters that IDNA ignores: a host of only these is empty.
  if (/^[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]+$/v.test(host)) return 'empty host';
  // A numeric last label makes the host an IPv4 address; with another label appended, only names remain valid.
  if (canParse(`http://${host}.z/`)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}

/** `URL.parse`, which Node 20 lacks. Asking `URL.canParse` first parses every text twice. */
function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Like `URL.canParse`, but `xn--` labels must decode, as WHATWG requires: Node's parser accepts broken ones. */
function canParse(text: string): boolean {
  const url = parse(text);
  if (!url) return false;
  const { hostname, protocol } = url;
  // Hosts of other schemes are opaque: they have no labels.
  if (!SPECIAL_SCHEME.test(protocol.slice(0, -1))) return true;
  return hostname.split('.').every((label) => !label.startsWith('xn--') || isPunycodeLabel(label));
}

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
function isPunycodeLabel(label: string): boolean {
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

/** The spec's bound on `callback_url`, in characters. */
const LENGTH_MAX = 2083;

/**
 * An http or https address of 1 to 2083 characters, like pydantic's `HttpUrl`: any host, port, userinfo and fragment. A
 * URI (RFC 3986) is kept unchanged. A text that only browsers read as one, with blanks, backslashes or other letters,
 * becomes its `URL.href`, so that the field keeps its `format: uri`, unless that is too long. Whether the address may be
 * called is decided at the call.
 */
export function httpUrl() {
  return textField(readHttpUrl, { format: 'uri', minLength: 1, maxLength: LENGTH_MAX });
}

function readHttpUrl(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'url_type', msg: 'URL input should be a string or URL' };
  if (isTooLong(value)) {
    return { type: 'url_too_long', msg: `URL should have at most ${LENGTH_MAX} characters` };
  }
  const reason = urlFault(value);
  if (reason !== null) return { type: 'url_parsing', msg: `Input should be a valid URL, ${reason}` };
  const { protocol, href } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { type: 'url_scheme', msg: "URL scheme should be 'http' or 'https'" };
  }
  return RFC_3986.test(value) || isTooLong(href) ? value : href;
}

const ESCAPED = '%[0-9a-f]{2}';
const SEGMENT_CHARACTER = `(?:[\\w.~!$&'()*+,;=:@-]|${ESCAPED})`;
const REST_CHARACTER = `(?:[\\w.~!$&'()*+,;=:@/?-]|${ESCAPED})`;
const AUTHORITY = `(?:(?:[\\w.~!$&'()*+,;=:-]|${ESCAPED})*@)?(?:\\[[0-9a-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|${ESCAPED})*)(?::\\d*)?`;
const SEGMENTS = `(?:/${SEGMENT_CHARACTER}*)*`;

/** RFC 3986, appendix A: with an authority, which may be empty, or with only a path. */
const RFC_3986 = new RegExp(
  `^https?:(?://${AUTHORITY}${SEGMENTS}|/?(?:${SEGMENT_CHARACTER}+${SEGMENTS})?)(?:\\?${REST_CHARACTER}*)?(?:#${REST_CHARACTER}*)?$`,
  'i',
);

/** Counts characters, as the spec and JSON Schema do; FastAPI says characters but counts UTF-8 bytes. */
function isTooLong(value: string): boolean {
  // A character has at most two UTF-16 units, so only the range between needs counting.
  if (value.length <= LENGTH_MAX) return false;
  return value.length > LENGTH_MAX * 2 || Array.from(value).length > LENGTH_MAX;
}
