import css from '../work.module.css';

interface ChoicesProps<Value extends string> {
  readonly id: string;
  readonly legend: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly chosen: Value | null;
  readonly onChoose: (value: Value) => void;
  readonly fault?: string | undefined;
  /** The legend stands beside the choices, for a list of many groups. */
  readonly inRow?: boolean;
}

/** A group of radio buttons, used with Space and the arrow keys. */
export function Choices<Value extends string>({
  id,
  legend,
  choices,
  chosen,
  onChoose,
  fault,
  inRow = false,
}: ChoicesProps<Value>) {
  return (
    <fieldset
      className={inRow ? css.choicesInRow : css.choices}
      aria-describedby={fault === undefined ? undefined : `${id}-fault`}
    >
      <legend>{legend}</legend>
      <div className={css.options}>
        {choices.map(([value, word]) => (
          <label key={value} className={css.option}>
            <input
              type="radio"
              name={id}
              value={value}
              checked={chosen === value}
              aria-invalid={fault !== undefined || undefined}
              onChange={() => onChoose(value)}
            />
            <span>{word}</span>
          </label>
        ))}
      </div>
      {fault !== undefined && (
        <p className={css.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}
