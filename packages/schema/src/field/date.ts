import { type Fault, textField } from './text-and-number.ts';

/**
 * Why a text is not a date or date-time, in the words of speedate 0.17, pydantic's parser. Clients of the spec's
 * original service see them after "Input should be a valid …, ".
 */
class DateFault {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

const TOO_SHORT = 'input is too short';
const EXTRA_CHARACTERS = 'unexpected extra characters at the end of the input';

/** The digit at `index`; anything else, including the end of the input, throws `reason`. */
function digitAt(bytes: Uint8Array, index: number, reason: string): number {
  const byte = bytes[index];
  if (byte === undefined || byte < 0x30 || byte > 0x39) throw new DateFault(reason);
  return byte - 0x30;
}

/** The two-digit number at `index`. */
function twoDigitsAt(bytes: Uint8Array, index: number, reason: string): number {
  return digitAt(bytes, index, reason) * 10 + digitAt(bytes, index + 1, reason);
}

/** Year 0 parses, but Python's dates start at 1: this fault comes after all others. */
function isYearZero(text: string): boolean {
  return text.startsWith('0000-');
}

const DASH = 0x2d;
const DAYS_PER_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses `YYYY-MM-DD` at the start of `bytes`, whatever follows. The checks run in speedate's order, so the same one of
 * several faults is reported.
 *
 * @throws DateFault with the first fault.
 */
function parseDatePart(bytes: Uint8Array): void {
  if (bytes.length < 10) throw new DateFault(TOO_SHORT);
  let year = 0;
  for (let index = 0; index < 4; index++)
    year = year * 10 + digitAt(bytes, index, 'invalid character in year');
  if (bytes[4] !== DASH) throw new DateFault('invalid date separator, expected `-`');
  const month = twoDigitsAt(bytes, 5, 'invalid character in month');
  if (bytes[7] !== DASH) throw new DateFault('invalid date separator, expected `-`');
  const day = twoDigitsAt(bytes, 8, 'invalid character in day');

  const days = month === 2 && isLeapYear(year) ? 29 : DAYS_PER_MONTH[month - 1];
  if (days === undefined) throw new DateFault('month value is outside expected range of 1-12');
  if (day < 1 || day > days) throw new DateFault('day value is outside expected range');
}

/**
 * Parses a text that contains only a date.
 *
 * @throws DateFault with the first fault.
 */
function parseDate(bytes: Uint8Array): void {
  parseDatePart(bytes);
  if (bytes.length > 10) throw new DateFault(EXTRA_CHARACTERS);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const encoder = new TextEncoder();

/**
 * A calendar date, `YYYY-MM-DD`. A date-time at 00:00:00 is accepted and becomes its date, in its own offset; at
 * another time it is `date_from_datetime_inexact`. Numbers, even in a string, are refused.
 */
export function date() {
  return textField(readDate, { format: 'date' });
}

function readDate(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'date_type', msg: 'Input should be a valid date' };
  const bytes = encoder.encode(value);
  if (!isDate(bytes)) {
    try {
      if (!parseDateTime(bytes).isMidnight) return INEXACT;
    } catch (err) {
      if (!(err instanceof DateFault)) throw err;
      return {
        type: 'date_from_datetime_parsing',
        msg: `Input should be a valid date or datetime, ${err.reason}`,
      };
    }
  }
  return isYearZero(value) ? YEAR_ZERO : value.slice(0, 10);
}

const INEXACT: Fault = {
  type: 'date_from_datetime_inexact',
  msg: 'Datetimes provided to dates should have zero time - e.g. be exact dates',
};
const YEAR_ZERO: Fault = {
  type: 'date_parsing',
  msg: 'Input should be a valid date in the format YYYY-MM-DD, year 0 is out of range',
};

function isDate(bytes: Uint8Array): boolean {
  try {
    parseDate(bytes);
    return true;
  } catch (err) {
    if (!(err instanceof DateFault)) throw err;
    return false;
  }
}

/** What a field needs to know about a parsed date-time. */
interface ParsedDateTime {
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
function parseDateTime(bytes: Uint8Array): ParsedDateTime {
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

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const ACCEPTED =
  /^(?<date>.{10}).(?<minute>\d\d:\d\d)(?<second>:\d\d)?(?:[.,](?<digits>\d+))?(?:[Zz]|(?<sign>[+\-\u2212])(?<hours>\d\d):?(?<minutes>\d\d))?$/;

/**
 * Converts a text that `parseDateTime` accepted to RFC 3339. RFC 3339 stays unchanged; pydantic's other forms (a space
 * or `_` for the `T`, no seconds, `,` before the fraction, `+0530`, U+2212 for the minus, no offset) become the same
 * instant with the same offset and fraction. Otherwise we would send what is not the documented `date-time`, and a
 * receiver's validator would refuse a result that ours accepted.
 */
function toRfc3339(text: string): string {
  if (RFC_3339.test(text)) return text;
  const groups = ACCEPTED.exec(text)?.groups;
  if (!groups) throw new Error('A date-time was not parsed before it was rewritten.');
  const { date: day, minute, second = ':00', digits, sign, hours, minutes } = groups;
  const fraction = digits === undefined ? '' : `.${digits}`;
  const offset = sign === undefined ? 'Z' : `${sign === '+' ? '+' : '-'}${hours}:${minutes}`;
  return `${day}T${minute}${second}${fraction}${offset}`;
}

/** Whether a name is an IANA time zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // a RangeError: no such time zone
  }
}

/**
 * An instant, RFC 3339. Accepted as in pydantic (see `parseDateTime`), except that a bare date and numbers, even in a
 * string, are refused: the spec says date-time. Without an offset it is read as UTC. RFC 3339 is kept unchanged, any
 * other form is converted to it (see `toRfc3339`).
 */
export function dateTime() {
  return textField(readDateTime, { format: 'date-time' });
}

function readDateTime(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'datetime_type', msg: 'Input should be a valid datetime' };
  const bytes = encoder.encode(value);
  try {
    parseDateTime(bytes);
    if (isYearZero(value))
      return { type: 'datetime_parsing', msg: 'Input should be a valid datetime, year 0 is out of range' };
    return toRfc3339(value);
  } catch (err) {
    if (!(err instanceof DateFault)) throw err;
    return {
      type: 'datetime_from_date_parsing',
      msg: `Input should be a valid datetime or date, ${dateReason(bytes)}`,
    };
  }
}

/** Pydantic falls back to reading a date and reports that fault, so "24:00" becomes "unexpected extra characters". */
function dateReason(bytes: Uint8Array): string {
  try {
    parseDate(bytes);
    return TOO_SHORT;
  } catch (err) {
    if (!(err instanceof DateFault)) throw err;
    return err.reason;
  }
}
