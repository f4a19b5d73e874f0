import { drawRandom } from './draw-random.ts';

/**
 * The kind of thing that an id names. Ids are TypeIDs: the prefix and a UUIDv7 in base32, so they sort by the time of
 * issue and contain no dot (a `webhook-id` must not).
 */
export type IdPrefix =
  | 'acct'
  | 'key'
  | 'req'
  | 'bat'
  | 'msg'
  | 'evt'
  | 'ep'
  | 'held'
  | 'stf'
  | 'ses'
  | 'pky'
  | 'ers'
  | 'hold';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Crockford's alphabet in lower case. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Digits of a UUIDv7's milliseconds since 1970, 48 bits, with the two leading zero bits of TypeIDs. */
const TIME_DIGIT_COUNT = 10;

/** The largest time that an id can hold. */
const TIME_MS_MAX = 2 ** 48 - 1;

/** Increments for ids of the same millisecond; 32 bits. It starts at random, in the lower half. */
let sequence = 0;
let latestMs = 0;
let timeDigits = '';

/**
 * A new id, greater than every id this process issued before. Its digits are computed directly: a library builds a
 * UUID's text, parses it and checks its own work, for three times the CPU.
 */
export function issueId(prefix: IdPrefix): string {
  const rest = drawRandom(10); // the 80 bits of a UUIDv7 after its time (RFC 9562, 5.7)
  const now = Date.now();
  if (now > latestMs) {
    latestMs = now;
    timeDigits = digitsOfTime(now);
    sequence = rest.readUInt32BE(0) >>> 1;
  } else sequence += 1;
  rest.writeUInt8(0x70 | (sequence >>> 28), 0);
  rest.writeUInt8((sequence >>> 20) & 0xff, 1);
  rest.writeUInt8(0x80 | ((sequence >>> 14) & 0x3f), 2);
  rest.writeUInt16BE(((sequence << 2) | (rest.readUInt8(4) & 0x3)) & 0xffff, 3);
  return `${prefix}_${timeDigits}${digitsOf(rest)}`;
}

/** The lowest id of a time, as a bound: ids issued from then on are not below it. */
export function issuedIdAt(prefix: IdPrefix, ms: number): string {
  const within = Math.min(Math.max(Math.trunc(ms), 0), TIME_MS_MAX);
  return `${prefix}_${digitsOfTime(within)}${'0'.repeat(16)}`;
}

function digitsOfTime(ms: number): string {
  let digits = '';
  for (let rest = ms; digits.length < TIME_DIGIT_COUNT; rest = Math.floor(rest / 32))
    digits = DIGITS.charAt(rest % 32) + digits;
  return digits;
}

/** Encodes bytes in base32; their number must be a multiple of five. */
function digitsOf(bytes: Uint8Array): string {
  let digits = '';
  let bits = 0;
  let bitCount = 0;
  for (const byte of bytes) {
    bits = ((bits & 0x1f) << 8) | byte;
    for (bitCount += 8; bitCount >= 5; bitCount -= 5)
      digits += DIGITS.charAt((bits >> (bitCount - 5)) & 0x1f);
  }
  return digits;
}

/** Whether `text` has the form of an id that {@link issueId} makes; says nothing about its existence. */
export function isIssuedId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}
