import { BatchMode, type ValidationError } from '@insurance-verification/schema';
import { Field, TextInput } from '../../look/field.tsx';
import formCss from '../../look/form.module.css';
import { callbackDoubt } from '../../requests/new/doubts.ts';
import type { When } from '../../requests/new/form-values.ts';
import css from '../../requests/new/new-request.module.css';
import { WhenFields } from '../../requests/new/when-fields.tsx';
import { MODES } from '../../words/batch-words.ts';

/** What is said of all rows of a file, as typed. */
export interface Typed {
  readonly mode: BatchMode;
  readonly label: string;
  readonly callbackUrl: string;
  readonly when: When;
}

/** The headers that have a field here. */
const HEADERS: readonly unknown[] = ['batch-label', 'callback-url', 'service-date', 'needed-by'];

/** Whether a fault shows at a field of this part. */
export const isOfField = ({ loc: [place, name] }: ValidationError): boolean =>
  place === 'header' && HEADERS.includes(name);

interface SettingsPartProps {
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
  readonly faults: readonly ValidationError[];
}

/** Characters of a batch's name. */
const LABEL_LENGTH_MAX = 100;

/** Which rows are accepted, the name of the batch, and what holds for rows that do not say otherwise. */
export function SettingsPart({ typed, onChange, faults }: SettingsPartProps) {
  const faultOf = (header: string) =>
    faults.find(({ loc: [place, name] }) => place === 'header' && name === header)?.msg;
  const labelFault = faultOf('batch-label');
  const callbackFault = faultOf('callback-url');
  return (
    <>
      <fieldset className={css.group}>
        <legend>The batch</legend>
        <div className={formCss.choices} role="radiogroup" aria-labelledby="batch-mode">
          <p id="batch-mode">Accept</p>
          {BatchMode.options.map((mode) => (
            <label key={mode}>
              <input
                type="radio"
                name="mode"
                checked={typed.mode === mode}
                onChange={() => onChange({ ...typed, mode })}
              />
              {MODES[mode]}
            </label>
          ))}
        </div>
        <Field
          label="Name (optional)"
          htmlFor="batch-label"
          fault={labelFault}
          hint={<p className={css.hint}>For the list, without patients’ data. Letters without accents.</p>}
        >
          <TextInput
            id="batch-label"
            placeholder="Visits of November 21"
            autoComplete="off"
            maxLength={LABEL_LENGTH_MAX}
            value={typed.label}
            invalid={labelFault !== undefined}
            onChange={(event) => onChange({ ...typed, label: event.target.value })}
          />
        </Field>
        <Field
          label="Callback address (optional)"
          htmlFor="batch-callback"
          fault={callbackFault}
          hint={
            <>
              <p role="status" className={css.doubt}>
                {callbackFault === undefined && callbackDoubt(typed.callbackUrl.trim())}
              </p>
              <p className={css.hint}>For rows that have none of their own, as the day and time below.</p>
            </>
          }
        >
          <TextInput
            id="batch-callback"
            placeholder="https://clinic.example/verified"
            autoComplete="off"
            spellCheck={false}
            value={typed.callbackUrl}
            invalid={callbackFault !== undefined}
            onChange={(event) => onChange({ ...typed, callbackUrl: event.target.value })}
          />
        </Field>
      </fieldset>
      <WhenFields when={typed.when} onChange={(when) => onChange({ ...typed, when })} faultOf={faultOf} />
    </>
  );
}
