const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Full names, and the short form that is not the first three letters. */
const MONTH_NAMES =
  /^(JAN(UARY)?|FEB(RUARY)?|MAR(CH)?|APR(IL)?|MAY|JUNE?|JULY?|AUG(UST)?|SEPT?(EMBER)?|OCT(OBER)?|NOV(EMBER)?|DEC(EMBER)?)$/;

/** The placeholder that systems write for a missing date. */
const PLACEHOLDER = '1900-01-01';

/** No patient was born before this year. */
const YEAR_MIN = 1850;
const YEAR_MAX = 2200;

/** A weekday, a month, a day, a year and a time; a longer text is no date. */
const LENGTH_MAX = 80;

/**
 * What a birth date in free text may mean: `YYYY-MM-DD`, or `YYYY-MM` and `YYYY` where it says no more. `03/04/1980` has
 * two readings, and a year of two digits one in each century. Empty for a blank, a placeholder, and what cannot be read.
 */
export function birthDateReadings(text: string | null | undefined): readonly string[] {
  if (!text || text.length > LENGTH_MAX) return [];
  if (COMMON.test(text)) return text === PLACEHOLDER ? [] : [text];
  const found = readingsOf(text.normalize('NFKC').trim().toUpperCase());
  return [...new Set(found)].filter((reading) => reading !== PLACEHOLDER);
}

/** As nearly all are written, of the years in which nearly all are born: what it matches is a day of the calendar. */
const COMMON = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

/** Whether two readings may mean the same day. */
export function isSameReading(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function readingsOf(plain: string): readonly string[] {
  const text = plain
    .replace(/[T ]+\d{1,2}:\d\d.*$/, '') // a time after the day
    .replace(/^(MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*[., ]+/, '')
    .trim();
  if (/^\d+$/.test(text)) return ofDigits(text);
  const parts = text.split(/[\s,./-]+/).filter((part) => part !== '');
  if (parts.some((part) => !/^(\d{1,4}|\d{1,2}(ST|ND|RD|TH)|[A-Z]+)$/.test(part))) return [];
  const words = parts.filter((part) => /^[A-Z]/.test(part));
  if (words.length > 1) return [];
  const numbers = parts.filter((part) => !/^[A-Z]/.test(part)).map((part) => part.replace(/[A-Z]+$/, ''));
  return words[0] === undefined ? ofNumbers(numbers) : ofWords(words[0], numbers);
}

/** Without any separator. */
function ofDigits(text: string): readonly string[] {
  const at = (from: number, to: number) => text.slice(from, to);
  switch (text.length) {
    case 4:
      return yearOf(text);
    case 6:
      return [
        ...dayOf(at(4, 6), at(0, 2), at(2, 4)),
        ...dayOf(at(4, 6), at(2, 4), at(0, 2)),
        ...dayOf(at(0, 2), at(2, 4), at(4, 6)),
      ];
    case 8:
      return [
        ...dayOf(at(0, 4), at(4, 6), at(6, 8)),
        ...dayOf(at(4, 8), at(0, 2), at(2, 4)),
        ...dayOf(at(4, 8), at(2, 4), at(0, 2)),
      ];
    case 12:
    case 14:
      return dayOf(at(0, 4), at(4, 6), at(6, 8));
    default:
      return [];
  }
}

function ofNumbers([first = '', second = '', third]: readonly string[]): readonly string[] {
  if (third === undefined) {
    if (first.length === 4) return monthOf(first, second);
    return second.length === 4 ? monthOf(second, first) : [];
  }
  if (first.length > 2 || Number(first) > 31) return dayOf(first, second, third);
  return [...dayOf(third, first, second), ...dayOf(third, second, first)];
}

function ofWords(word: string, numbers: readonly string[]): readonly string[] {
  if (!MONTH_NAMES.test(word)) return [];
  const month = String(MONTHS.indexOf(word.slice(0, 3)) + 1);
  const [first = '', second] = numbers;
  if (second === undefined) return first.length === 4 ? monthOf(first, month) : [];
  return first.length > 2 || Number(first) > 31 ? dayOf(first, month, second) : dayOf(second, month, first);
}

function dayOf(year = '', month = '', day = ''): string[] {
  return monthOf(year, month).flatMap((reading) => {
    const isDay = day.length <= 2 && Number(day) >= 1 && Number(day) <= lastDayOf(reading);
    return isDay ? [`${reading}-${day.padStart(2, '0')}`] : [];
  });
}

/** Of a month, `YYYY-MM`. */
function lastDayOf(month: string): number {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

function monthOf(year: string, month: string): string[] {
  const isMonth = month.length <= 2 && Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? yearOf(year).map((one) => `${one}-${month.padStart(2, '0')}`) : [];
}

/** A year of two digits is one of either century. */
function yearOf(year: string): string[] {
  if (year.length === 2) return [`19${year}`, `20${year}`];
  return year.length === 4 && Number(year) >= YEAR_MIN && Number(year) <= YEAR_MAX ? [year] : [];
}
