import { DateField, Field, Select, TextInput } from '../../look/field.tsx';
import type { When } from './form-values.ts';
import css from './new-request.module.css';

interface WhenFieldsProps {
  readonly when: When;
  /** Whether the payer's API takes the patient's gender. */
  readonly asksGender?: boolean;
  readonly onChange: (when: When) => void;
  /** The fault of a header, by its name. */
  readonly faultOf: (header: string) => string | undefined;
}

/** The day of the visit, when the answer is needed, and the gender that some payers ask for. */
export function WhenFields({ when, asksGender = false, onChange, faultOf }: WhenFieldsProps) {
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
      {asksGender && (
        <Field label="Patient’s gender (optional)" htmlFor="gender" fault={faultOf('gender')}>
          <Select
            id="gender"
            name="gender"
            value={when.gender}
            onChange={(event) => onChange({ ...when, gender: event.target.value })}
          >
            <option value="">Not given</option>
            <option value="F">Female</option>
            <option value="M">Male</option>
            <option value="U">Unknown</option>
          </Select>
        </Field>
      )}
    </fieldset>
  );
}
