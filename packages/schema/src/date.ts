import { DateFault } from './date-fault.ts';
import { parseDate } from './parse-date.ts';
import { parseDateTime } from './parse-date-time.ts';
import { type Fault, textField } from './text-field.ts';

const encoder = new TextEncoder();

/**
 * A calendar date, `YYYY-MM-DD`. A date-time at 00:00:00 is accepted and becomes its date, in its own offset; one at
 * another time is `date_from_datetime_inexact`. Numbers, also in a string, are refused.
 */
export function date() {
  return textField(readDate, { format: 'date' });
}

function readDate(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'date_type', msg: 'Input should be a valid date' };
  const bytes = encoder.encode(value);
  try {
    parseDate(bytes);
    return value;
  } catch (err) {
    if (!(err instanceof DateFault)) throw err;
  }
  try {
    if (parseDateTime(bytes).isMidnight) return value.slice(0, 10);
    return {
      type: 'date_from_datetime_inexact',
      msg: 'Datetimes provided to dates should have zero time - e.g. be exact dates',
    };
  } catch (err) {
    if (!(err instanceof DateFault)) throw err;
    return { type: 'date_from_datetime_parsing', msg: `Input should be a valid date or datetime, ${err.reason}` };
  }
}
