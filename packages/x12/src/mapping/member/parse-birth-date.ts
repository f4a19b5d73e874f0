import { isDay } from '../../parts/parse-x12-date.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A date of birth from free text, as `YYYY-MM-DD`; null when it is not certainly one. Year first, month first (as it is
 * written where these payers are), or a month in words. `13/05/1984` is no month first, and it is not turned round:
 * asking without a date is better than asking with a wrong one. Two-digit years are not guessed.
 */
export function parseBirthDate(text: string): string | null {
  const trimmed = text.trim();
  const yearFirst = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ].*)?$/.exec(trimmed);
  if (yearFirst) return dayOf(yearFirst[1], yearFirst[3], yearFirst[4]);
  const monthFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/.exec(trimmed);
  if (monthFirst) return dayOf(monthFirst[4], monthFirst[1], monthFirst[3]);
  const inWords = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(trimmed);
  if (inWords) return dayOf(inWords[3], monthOf(inWords[1]), inWords[2]);
  const dayInFront = /^(\d{1,2})[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/i.exec(trimmed);
  return dayInFront && dayOf(dayInFront[3], monthOf(dayInFront[2]), dayInFront[1]);
}

function monthOf(word = ''): string {
  return String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1);
}

function dayOf(year = '', month = '', day = ''): string | null {
  const [mm, dd] = [month.padStart(2, '0'), day.padStart(2, '0')];
  return isDay(Number(year), Number(mm), Number(dd)) && year >= '1850' ? `${year}-${mm}-${dd}` : null;
}
