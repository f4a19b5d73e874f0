import type { ValidationError } from '@insurance-verification/schema';
import { DateField } from '../../look/form/date-field.tsx';
import { Field, TextInput } from '../../look/form/field.tsx';
import { fromTyped, readDate } from '../../look/form/read-date.ts';
import type { FormField, FormValues } from './form-values.ts';
import css from './new-request.module.css';

interface WhenFieldsProps {
  readonly when: When;
  readonly onChange: (when: When) => void;
  /** The fault of a header, by its name. */
  readonly faultOf: (header: string) => string | undefined;
}

/** The day of the visit, and when the answer is needed. */
export function WhenFields({ when, onChange, faultOf }: WhenFieldsProps) {
  return (
    <fieldset className={css.group}>
      <legend>When</legend>
      <div>
        <DateField
          id="service-date"
          label="Day of service (optional)"
          value={when.serviceDate}
          fault={faultOf('service-date')}
          onChange={(serviceDate) => onChange({ ...when, serviceDate })}
        />
        <p className={css.hint}>The day to ask the payer about; empty for today.</p>
      </div>
      <div>
        <div className={css.moment}>
          <DateField
            id="needed-by"
            label="Needed by (optional)"
            value={when.neededDay}
            fault={faultOf('needed-by')}
            onChange={(neededDay) => onChange({ ...when, neededDay })}
          />
          <Field label="Time" htmlFor="needed-time">
            <TextInput
              id="needed-time"
              type="time"
              value={when.neededTime}
              onChange={(event) => onChange({ ...when, neededTime: event.target.value })}
            />
          </Field>
        </div>
        <p className={css.hint}>
          Without a time, the end of that day. The earliest of the account’s requests is worked on first.
        </p>
      </div>
    </fieldset>
  );
}

/** What a request says beside its body, as it is typed; empty for nothing. */
interface When {
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
