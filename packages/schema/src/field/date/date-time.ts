import { type Fault, textField } from '../text-field.ts';
import { DateFault, isYearZero, TOO_SHORT } from './date-fault.ts';
import { parseDateTime } from './parse-date-time.ts';
import { parseDate } from './parse-date.ts';
import { toRfc3339 } from './to-rfc-3339.ts';

const encoder = new TextEncoder();

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
