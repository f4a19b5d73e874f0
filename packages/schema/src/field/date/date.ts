import { type Fault, textField } from '../text-field.ts';
import { DateFault, isYearZero } from './date-fault.ts';
import { parseDateTime } from './parse-date-time.ts';
import { parseDate } from './parse-date.ts';

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
