import { Field, TextInput } from '../../look/form/field.tsx';
import { fromTyped } from '../../look/form/typed-time.ts';
import css from './new-request.module.css';

/** What a request says beside its body, as it is typed; empty for nothing. */
export interface When {
  /** `YYYY-MM-DD`. */
  readonly serviceDate: string;
  /** As a `datetime-local` field has it, in the zone of the page. */
  readonly neededBy: string;
}

export const NO_TIME: When = { serviceDate: '', neededBy: '' };

/** As the call takes it: absent for nothing. */
export function headersOf({ serviceDate, neededBy }: When, zone: string) {
  return {
    ...(serviceDate !== '' && { serviceDate }),
    ...(neededBy !== '' && { neededBy: fromTyped(neededBy, zone) }),
  };
}

interface WhenFieldsProps {
  readonly when: When;
  readonly onChange: (when: When) => void;
  /** The fault of a header, by its name. */
  readonly faultOf: (header: string) => string | undefined;
}

/** The day of the visit, and when the answer is needed. */
export function WhenFields({ when, onChange, faultOf }: WhenFieldsProps) {
  const faults = { day: faultOf('service-date'), needed: faultOf('needed-by') };
  return (
    <fieldset className={css.group}>
      <legend>When</legend>
      <Field
        label="Day of service (optional)"
        htmlFor="service-date"
        fault={faults.day}
        hint={<p className={css.hint}>The day to ask the payer about; empty for today.</p>}
      >
        <TextInput
          id="service-date"
          name="service-date"
          type="date"
          invalid={faults.day !== undefined}
          value={when.serviceDate}
          onChange={(event) => onChange({ ...when, serviceDate: event.target.value })}
        />
      </Field>
      <Field
        label="Needed by (optional)"
        htmlFor="needed-by"
        fault={faults.needed}
        hint={<p className={css.hint}>The earliest of the account’s requests is worked on first.</p>}
      >
        <TextInput
          id="needed-by"
          name="needed-by"
          type="datetime-local"
          invalid={faults.needed !== undefined}
          value={when.neededBy}
          onChange={(event) => onChange({ ...when, neededBy: event.target.value })}
        />
      </Field>
    </fieldset>
  );
}
