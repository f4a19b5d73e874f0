import { useId } from 'react';
import { Button } from '../button/button.tsx';
import css from '../table/table.module.css';
import { useZone } from '../time/zone.ts';
import { Field, Select, TextInput } from './field.tsx';
import { textOf } from './text-of.ts';
import { fromTyped, toTyped } from './typed-time.ts';

/** One filter of a list. */
export interface Filter<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** The options as value and label; without them the filter is a text field. */
  readonly choices?: readonly (readonly [value: string, word: string])[];
  readonly hint?: string;
  readonly kind?: 'text' | 'number' | 'time';
  /** Shown under “More filters”. */
  readonly rare?: true;
}

interface FilterFormProps<Name extends string> {
  readonly filters: readonly Filter<Name>[];
  readonly values: Readonly<Partial<Record<Name, string | number | undefined>>>;
  readonly onChange: (values: Partial<Record<Name, string | undefined>>) => void;
}

/** The filters of a list. A select applies at once, a text field on Enter or “Show”. */
export function FilterForm<Name extends string>({ filters, values, onChange }: FilterFormProps<Name>) {
  const { zone } = useZone();
  const id = useId();
  const read = (form: HTMLFormElement) =>
    onChange(
      Object.fromEntries(
        filters.map(({ name, kind }) => {
          const typed = textOf(form, name).trim();
          return [name, (kind === 'time' ? fromTyped(typed, zone) : typed) || undefined];
        }),
      ) as Partial<Record<Name, string | undefined>>,
    );
  const one = (filter: Filter<Name>) => {
    const { name, label, choices, hint, kind = 'text' } = filter;
    const value = String(values[name] ?? '');
    const field = `${id}-${name}`;
    return (
      <Field key={name} label={label} htmlFor={field}>
        {choices ? (
          <Select
            id={field}
            name={name}
            defaultValue={value}
            onChange={(event) => event.target.form && read(event.target.form)}
          >
            <option value="">All</option>
            {choices.map(([key, word]) => (
              <option key={key} value={key}>
                {word}
              </option>
            ))}
          </Select>
        ) : (
          <TextInput
            id={field}
            name={name}
            type={kind === 'time' ? 'datetime-local' : kind}
            defaultValue={kind === 'time' ? toTyped(value, zone) : value}
            placeholder={hint}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
    );
  };
  const rare = filters.filter((filter) => filter.rare);
  const setCount = rare.filter(({ name }) => values[name] !== undefined).length;
  return (
    <form
      className={css.filterForm}
      key={JSON.stringify([values, zone])}
      onSubmit={(event) => {
        event.preventDefault();
        read(event.currentTarget);
      }}
    >
      <div className={css.filters}>
        {filters.filter((filter) => !filter.rare).map(one)}
        <Button type="submit">Show</Button>
        {Object.values(values).some((value) => value !== undefined) && (
          <Button
            onClick={() =>
              onChange(
                Object.fromEntries(filters.map(({ name }) => [name, undefined])) as Partial<
                  Record<Name, undefined>
                >,
              )
            }
          >
            Clear
          </Button>
        )}
      </div>
      {rare.length > 0 && (
        <details open={setCount > 0}>
          <summary>More filters</summary>
          <div className={css.filters}>{rare.map(one)}</div>
        </details>
      )}
    </form>
  );
}
