import { DateFault, EXTRA_CHARACTERS, TOO_SHORT, twoDigitsAt } from './date-fault.ts';
import { parseDatePart } from './parse-date.ts';

/** What a field needs to know about a parsed date-time. */
export interface ParsedDateTime {
  /** Whether the time is 00:00:00, in its own offset and to the microsecond. */
  readonly isMidnight: boolean;
}

const code = (char: string): number => char.charCodeAt(0);
const SEPARATORS = new Set([code('T'), code('t'), code(' '), code('_')]);
const COLON = code(':');
// U+2212, the ISO 8601 minus sign, in UTF-8.
const MINUS = [226, 136, 146];

/**
 * Reads `YYYY-MM-DD`, one of `T`, `t`, `_` or space, `HH:MM`, perhaps `:SS` and a fraction of any length, perhaps `Z`,
 * `z` or an offset. Leap seconds and 24:00 are refused, as pydantic does.
 *
 * @throws DateFault with the first fault, in speedate's order and words.
 */
export function parseDateTime(bytes: Uint8Array): ParsedDateTime {
  parseDatePart(bytes);
  if (!SEPARATORS.has(bytes[10] ?? -1))
    throw new DateFault('invalid datetime separator, expected `T`, `t`, `_` or space');
  const time = parseTime(bytes, 11);
  const end = parseOffset(bytes, time.end);
  if (bytes.length > end) throw new DateFault(EXTRA_CHARACTERS);
  return { isMidnight: time.isMidnight };
}

function parseTime(bytes: Uint8Array, start: number): { end: number; isMidnight: boolean } {
  if (bytes.length - start < 5) throw new DateFault(TOO_SHORT);
  const hour = twoDigitsAt(bytes, start, 'invalid character in hour');
  if (bytes[start + 2] !== COLON) throw new DateFault('invalid time separator, expected `:`');
  const minute = twoDigitsAt(bytes, start + 3, 'invalid character in minute');
  if (hour > 23) throw new DateFault('hour value is outside expected range of 0-23');
  if (minute > 59) throw new DateFault('minute value is outside expected range of 0-59');
  const wholeMinute = hour === 0 && minute === 0;
  if (bytes[start + 5] !== COLON) return { end: start + 5, isMidnight: wholeMinute };

  const second = twoDigitsAt(bytes, start + 6, 'invalid character in second');
  if (second > 59) throw new DateFault('second value is outside expected range of 0-59');
  const fraction = parseFraction(bytes, start + 8);
  return { end: fraction.end, isMidnight: wholeMinute && second === 0 && fraction.isZero };
}

function parseFraction(bytes: Uint8Array, start: number): { end: number; isZero: boolean } {
  const separator = bytes[start];
  if (separator !== code('.') && separator !== code(',')) return { end: start, isZero: true };
  let end = start + 1;
  let isZero = true;
  for (let byte = bytes[end]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[++end]) {
    // Digits past the microsecond are accepted and ignored, as in pydantic.
    if (byte !== 0x30 && end - start <= 6) isZero = false;
  }
  if (end === start + 1) throw new DateFault('second fraction digits missing after `.`');
  return { end, isZero };
}

/** The index after the offset that starts at `start`, or `start` at the end of the input. */
function parseOffset(bytes: Uint8Array, start: number): number {
  const sign = bytes[start];
  if (sign === undefined) return start;
  if (sign === code('Z') || sign === code('z')) return start + 1;
  const isMinusSign = MINUS.every((byte, index) => bytes[start + index] === byte);
  if (!isMinusSign && sign !== code('+') && sign !== code('-')) throw new DateFault('invalid timezone sign');

  const hours = start + (isMinusSign ? 3 : 1);
  const hour = twoDigitsAt(bytes, hours, 'invalid timezone hour');
  const minutes = bytes[hours + 2] === COLON ? hours + 3 : hours + 2;
  const minute = twoDigitsAt(bytes, minutes, 'invalid timezone minute');
  if (minute > 59) throw new DateFault('timezone minute value is outside expected range of 0-59');
  if (hour * 60 + minute >= 24 * 60) throw new DateFault('timezone offset must be less than 24 hours');
  return minutes + 2;
}
