import { type ReactNode, useId, useRef, useState } from 'react';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button/button.tsx';
import { AccountInput } from './account-input.tsx';
import type { Filter } from './filter.ts';
import css from './filters.module.css';
import { TypedInput } from './typed-input.tsx';

interface FilterBarProps<Name extends string> {
  readonly filters: readonly Filter<Name>[];
  readonly values: Readonly<Partial<Record<Name, string | undefined>>>;
  /** Sets the given filters and leaves the others; undefined takes one away. */
  readonly onChange: (changes: Partial<Record<Name, string | undefined>>) => void;
  /** A search of the list's own, before the filters. */
  readonly children?: ReactNode;
}

/**
 * The filters of a list as chips in the head of its page. A choice applies at once, what is typed on Enter or when the
 * field is left. `/` leads to the first field.
 */
export function FilterBar<Name extends string>({
  filters,
  values,
  onChange,
  children,
}: FilterBarProps<Name>) {
  const [isOpen, setIsOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useKeys({ search: () => ref.current?.querySelector<HTMLElement>('input, select')?.focus() });
  const set = filters.filter(({ name }) => values[name] !== undefined);
  const unset = (names: readonly Name[]) =>
    onChange(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>);
  const hasRare = filters.some(({ rare }) => rare);
  return (
    <div ref={ref} className={css.bar} role="search" data-open={isOpen}>
      {children}
      {filters.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={values[filter.name]}
          onSet={(value) => onChange({ [filter.name]: value } as Partial<Record<Name, string | undefined>>)}
        />
      ))}
      <Button
        className={[css.more, hasRare && css.hasRare].filter(Boolean).join(' ')}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Fewer' : 'Filters'}
      </Button>
      {set.length > 0 && (
        <Button className={css.clear} onClick={() => unset(set.map(({ name }) => name))}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface ChipProps {
  readonly filter: Filter<string>;
  readonly value: string | undefined;
  readonly onSet: (value: string | undefined) => void;
}

/** A filter: its label, its value, and while it has one a button that takes it away. */
function Chip({ filter, value, onSet }: ChipProps) {
  const { label, choices, none = 'All', hint, kind = 'text', rare } = filter;
  const id = useId();
  const isSet = value !== undefined;
  return (
    <span
      className={[css.chip, rare && css.rare, kind === 'search' && css.search].filter(Boolean).join(' ')}
      data-set={isSet}
    >
      <label htmlFor={id}>{label}</label>
      {choices ? (
        <select id={id} value={value ?? ''} onChange={(event) => onSet(event.target.value || undefined)}>
          <option value="">{none}</option>
          {choices.map(([key, word]) => (
            <option key={key} value={key}>
              {word}
            </option>
          ))}
          {isSet && choices.every(([key]) => key !== value) && <option value={value}>{value}</option>}
        </select>
      ) : kind === 'account' ? (
        <AccountInput id={id} accountId={value} onSet={onSet} />
      ) : (
        <TypedInput id={id} kind={kind} hint={hint} value={value} onSet={onSet} />
      )}
      {isSet && (
        <button type="button" aria-label="Clear this filter" onClick={() => onSet(undefined)}>
          ×
        </button>
      )}
    </span>
  );
}
