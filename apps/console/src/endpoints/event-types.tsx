import type { EventType } from '@insurance-verification/schema';
import formCss from '../look/form.module.css';
import { typeChoices } from './endpoint-words.ts';

interface EventTypesProps {
  readonly chosen: readonly EventType[];
  /** Whether the events of operators can be chosen as well. */
  readonly isOperator: boolean;
  readonly onChange: (types: readonly EventType[]) => void;
}

/** A checkbox for each type of event that an endpoint may get. */
export function EventTypes({ chosen, isOperator, onChange }: EventTypesProps) {
  return (
    <fieldset className={formCss.choices}>
      <legend>It gets</legend>
      {typeChoices(isOperator).map(([type, word]) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))
            }
          />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
