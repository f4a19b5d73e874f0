import {
  codeOf,
  elementOf,
  inCapitals,
  repetitionsOf,
  type Segment,
  trimmed,
  valueOf,
} from '../tokenizing/read-header.ts';
import {
  type AddressParts,
  type AnsweredProcedure,
  type Contact,
  type DatedPeriod,
  type NameParts,
  NONE,
  type Party,
  type Reference,
  type ServiceDelivery,
  type ServiceInformation,
  type Trace,
  type UnreadDate,
} from './parts.ts';

/** NM1. */
export function readParty(segment: Segment): Party {
  return {
    role: codeOf(segment, 1) ?? '',
    isPerson: elementOf(segment, 2) === '1',
    name: readName(segment),
    idQualifier: codeOf(segment, 8),
    id: valueOf(segment, 9),
  };
}

function readName(segment: Segment): NameParts | null {
  const last = elementOf(segment, 3);
  const first = valueOf(segment, 4);
  const middle = valueOf(segment, 5);
  if (last === '' && first === null && middle === null) return null;
  return { last, first, middle, suffix: valueOf(segment, 7) };
}

/** TRN. */
export function readTrace(segment: Segment): Trace {
  return { type: elementOf(segment, 1), id: elementOf(segment, 2), origin: valueOf(segment, 3) };
}

/** REF. */
export function readReference(segment: Segment): Reference {
  return {
    qualifier: codeOf(segment, 1) ?? '',
    id: elementOf(segment, 2),
    description: valueOf(segment, 3),
  };
}

/** What a DTP says: its day or period, and what of it cannot be read. */
export interface ReadDate {
  readonly date: DatedPeriod | null;
  readonly unread: UnreadDate | null;
}

/** DTP. DTP02 matters for two-digit years only; otherwise the form of DTP03 decides. */
export function readDate(segment: Segment): ReadDate {
  const qualifier = elementOf(segment, 1);
  const text = elementOf(segment, 3);
  const period = parsePeriod(isShort(segment) ? withCentury(text) : text);
  const isWhole = period === null ? isEmpty(text) : isReadWhole(period, text);
  return { date: period && { qualifier, ...period }, unread: isWhole ? null : { qualifier, text } };
}

/** Blanks and zeros, with the dash of a range. */
function isEmpty(text: string): boolean {
  return /^[0\s-]*$/.test(text);
}

/** Whether both sides of a range that say something are days. */
function isReadWhole({ start, end }: Period, text: string): boolean {
  const [first = '', last = '', ...more] = text.split('-');
  if (more.length > 0 || !text.includes('-')) return true; // a day
  return (
    (start !== null || isEmpty(first)) && (end !== null || isEmpty(last) || last.trim().startsWith(NO_END))
  );
}

/** DTP02 of `YYMMDD` and of a range of two such dates, as older systems send them. */
function isShort(segment: Segment): boolean {
  const form = codeOf(segment, 2);
  return form === 'D6' || form === 'RD6';
}

/** Coverage dates are recent: years 80 to 99 are of the last century. */
function withCentury(text: string): string {
  return text.replaceAll(/\b\d{6}\b/g, (day) => (day < '80' ? '20' : '19') + day);
}

/** N3 and N4 make one address. */
export function withStreet(address: AddressParts | null, segment: Segment): AddressParts {
  const lines = [elementOf(segment, 1), elementOf(segment, 2)].filter((line) => line !== '');
  return { city: '', state: '', postalCode: '', ...address, lines };
}

export function withCity(address: AddressParts | null, segment: Segment): AddressParts {
  const place = {
    city: elementOf(segment, 1),
    state: elementOf(segment, 2),
    postalCode: elementOf(segment, 3),
  };
  return { lines: [], ...address, ...place };
}

/** PER03 to PER08: three pairs at most. */
export function readContacts(segment: Segment): readonly Contact[] {
  return [3, 5, 7].flatMap((number) => {
    const value = elementOf(segment, number + 1);
    return value === '' ? [] : [{ qualifier: inCapitals(elementOf(segment, number)), value }];
  });
}

/** HSD. */
export function readDelivery(segment: Segment): ServiceDelivery {
  return {
    quantityQualifier: codeOf(segment, 1),
    quantity: valueOf(segment, 2),
    unit: codeOf(segment, 3),
    modulus: valueOf(segment, 4),
    timePeriod: codeOf(segment, 5),
    periodCount: valueOf(segment, 6),
    pattern: codeOf(segment, 7),
    patternTime: codeOf(segment, 8),
  };
}

/** III. */
export function readInformation(segment: Segment): ServiceInformation {
  return {
    qualifier: codeOf(segment, 1),
    code: codeOf(segment, 2),
    category: codeOf(segment, 3),
    text: valueOf(segment, 4),
  };
}

/** EB13 or EQ02, C003, each of its repetitions that has a code. */
export function readProcedures(segment: Segment, number: number): readonly AnsweredProcedure[] {
  const composites = repetitionsOf(segment, number);
  if (composites.length === 0) return NONE;
  const procedures: AnsweredProcedure[] = [];
  for (const composite of composites) {
    const procedure = readProcedure(composite, segment.delimiters.component);
    if (procedure.code !== '') procedures.push(procedure);
  }
  return procedures;
}

/** Qualifier, code, four modifiers, description, last code of a range: nearly all have only the first two. */
function readProcedure(composite: string, separator: string): AnsweredProcedure {
  const divider = dividerOf(composite, separator);
  const end = composite.indexOf(divider);
  if (end !== -1 && !composite.includes(divider, end + 1)) {
    const qualifier = inCapitals(trimmed(composite.slice(0, end)));
    const code = wholeCode(qualifier, trimmed(composite.slice(end + 1)));
    return { qualifier, code, modifiers: NONE, lastCode: null };
  }
  const [qualifier = '', code = '', ...rest] = composite.split(divider, 8).map(trimmed);
  // Senders that skip a component put the description in a modifier position.
  const modifiers = rest.slice(0, 4).filter((text) => /^[A-Z\d]{2}$/i.test(text));
  const system = inCapitals(qualifier);
  const last = rest[5] || null;
  return {
    qualifier: system,
    code: wholeCode(system, code),
    modifiers,
    lastCode: last === null ? null : wholeCode(system, last),
  };
}

/** Some senders leave out the D of a dental code. */
function wholeCode(qualifier: string, code: string): string {
  return qualifier === 'AD' && /^\d{4}$/.test(code) ? `D${code}` : code;
}

/** Some senders divide components with another character than their ISA says: `HC|99213`. */
function dividerOf(composite: string, separator: string): string {
  if (composite.includes(separator)) return separator;
  return /^[A-Z\d]{2}([^A-Z\d\s])/i.exec(composite)?.[1] ?? separator;
}

/** A day, or the first and last day of a period, as `YYYY-MM-DD`. */
export interface Period {
  readonly start: string | null;
  /** The last day of a range; null for a single day or an open range. */
  readonly end: string | null;
}

/** How senders write "no end". */
const NO_END = '9999';

/**
 * Reads a date of X12 (`D8` CCYYMMDD, `RD8` a range of two, `DT` with a time after). The form decides, not the
 * qualifier before it: senders put ranges under D8. Null when it is no day of the calendar.
 */
function parsePeriod(text: string): Period | null {
  const dash = text.indexOf('-');
  if (dash === -1) {
    const day = parseDay(text);
    return day === null ? null : { start: day, end: null };
  }
  if (text.includes('-', dash + 1)) {
    const start = parseDay(text.replaceAll('-', '')); // CCYY-MM-DD, which no X12 format has
    return start === null ? null : { start, end: null };
  }
  const start = parseDay(text.slice(0, dash).trim());
  const end = parseDay(text.slice(dash + 1).trim());
  if (start === null && end === null) return null;
  if (start !== null && end !== null && end < start) return null; // which of them is wrong cannot be known
  return { start, end: end?.startsWith(NO_END) ? null : end };
}

/** `CCYYMMDD` as `YYYY-MM-DD`; null when it is no day of the calendar. A trailing time is dropped. */
export function parseDay(text: string): string | null {
  if (text.length !== 8 && text.length !== 12 && text.length !== 14) return null;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return null;
  }
  const number = Number(text.slice(0, 8));
  if (!isDay(Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100)) return null;
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
}

/** Whether the calendar has this day. Computed by hand: a `Date` for each of the 6,000 dates of a long answer is slow. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && !isLeapYear ? 28 : (DAY_COUNTS[month - 1] ?? 0));
}

const DAY_COUNTS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `HHMM`, `HHMMSS` or longer, as `HH:MM:SS`. */
export function parseTime(text: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(text);
  return match && `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}
