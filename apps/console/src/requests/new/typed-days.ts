import type { ValidationError } from '@insurance-verification/schema';
import { readDate } from '../../look/form/read-date.ts';
import { fromTyped } from '../../look/form/typed-time.ts';
import type { FormField } from './form-fields.ts';
import type { FormValues } from './form-values.ts';

/** What a request says beside its body, as it is typed; empty for nothing. */
export interface When {
  readonly serviceDate: string;
  readonly neededDay: string;
  /** `HH:MM`, in the zone of the page; without it the end of the day. */
  readonly neededTime: string;
}

export const NO_TIME: When = { serviceDate: '', neededDay: '', neededTime: '' };

interface Typed {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly when: When;
  readonly zone: string;
  readonly today: Date;
}

interface ReadDays {
  /** With the days as `YYYY-MM-DD`. */
  readonly values: FormValues;
  /** As the call takes it: absent for nothing. */
  readonly headers: { readonly serviceDate?: string; readonly neededBy?: string };
  /** Of days that can be two, or that nothing can be read of: they are asked for again, never guessed. */
  readonly faults: readonly ValidationError[];
}

/** Reads every day of the form as the workbench reads its own. */
export function readDays({ fields, values, when, zone, today }: Typed): ReadDays {
  const faults: ValidationError[] = [];
  const dayOf = (text: string, loc: ValidationError['loc'], isBirth: boolean): string => {
    const read = readDate(text, today, isBirth);
    if (read.kind === 'day') return read.day;
    const msg =
      read.kind === 'ambiguous' ? `Which day is ${text}?` : 'Type a day: 1/31/2026, 20260131 or today.';
    if (read.kind !== 'none') faults.push({ loc, msg, type: 'date_parsing' });
    return '';
  };
  const births = fields
    .filter(({ kind }) => kind === 'birth')
    .map(({ path }) => [path, dayOf(values[path] ?? '', ['body', ...path.split('.')], true)] as const);
  const serviceDate = dayOf(when.serviceDate, ['header', 'service-date'], false);
  const neededDay = dayOf(when.neededDay, ['header', 'needed-by'], false);
  return {
    values: { ...values, ...Object.fromEntries(births) },
    headers: {
      ...(serviceDate !== '' && { serviceDate }),
      ...(neededDay !== '' && { neededBy: fromTyped(`${neededDay}T${when.neededTime || '23:59'}`, zone) }),
    },
    faults,
  };
}
