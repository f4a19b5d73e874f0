import { type ReactNode, useId, useRef, useState } from 'react';
import { type FoundAccount, useAccounts } from '../access/choose-account.tsx';
import { serverNow } from '../api/server-time.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { shortId } from '../look/ids.tsx';
import { readInstant } from '../look/read-moment.ts';
import { useZone } from '../look/time.tsx';
import { datedTime } from '../words/clock-words.ts';
import css from './filters.module.css';

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

/** One filter of a list, whose value is in the address of the page. */
export interface Filter<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** The options as value and label; without them something is typed. */
  readonly choices?: readonly (readonly [value: string, word: string])[];
  /** The word for no choice; `All` without it. */
  readonly none?: string;
  readonly hint?: string;
  /** `account`: an account by its name. `search`: the field that `/` leads to, which always shows. */
  readonly kind?: 'text' | 'number' | 'time' | 'account' | 'search';
  /** Shown once it is set, or under “More”. */
  readonly rare?: true;
}

interface TypedInputProps {
  readonly id: string;
  readonly kind: NonNullable<Filter<string>['kind']>;
  readonly hint: string | undefined;
  readonly value: string | undefined;
  readonly onSet: (value: string | undefined) => void;
}

/** The field of a filter that is typed. It applies on Enter, and when it is left. */
function TypedInput({ id, kind, hint, value, onSet }: TypedInputProps) {
  const { zone } = useZone();
  const isTime = kind === 'time';
  const shown = isTime && value !== undefined ? datedTime(value, zone) : (value ?? '');
  const [isUnread, setIsUnread] = useState(false);
  const [[typed, of], setTyped] = useState([shown, shown]);
  // Set elsewhere, by Back or by Clear.
  if (of !== shown) setTyped([shown, shown]);
  const apply = () => {
    const text = typed.trim();
    if (text === shown) return;
    const read = isTime && text !== '' ? readInstant(text, serverNow(), zone) : text;
    setIsUnread(read === null);
    if (read !== null) onSet(read || undefined);
  };
  return (
    <input
      id={id}
      type={kind === 'number' ? 'number' : 'text'}
      value={typed}
      placeholder={isTime ? 'Nov 29, 3 PM' : hint}
      data-time={isTime || undefined}
      aria-invalid={isUnread || undefined}
      title={isUnread ? 'No time yet: Nov 29, 3:02 PM, or 11/29, or yesterday 9a' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setTyped([event.target.value, shown])}
      // Left for another control, not for a dialog that comes over the page, or for another window.
      onBlur={({ relatedTarget }) => relatedTarget !== null && !relatedTarget.closest('dialog') && apply()}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}

interface AccountInputProps {
  readonly id: string;
  readonly accountId: string | undefined;
  readonly onSet: (accountId: string | undefined) => void;
}

const LIMIT = 50;

/**
 * A combobox that finds an account by part of its name, and takes a whole account id. The browser's own list: it is
 * spoken, it follows the keys, and it weighs nothing.
 */
function AccountInput({ id, accountId, onSet }: AccountInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const { data } = useAccounts(typed?.trim() ?? '', LIMIT, hasFocus || accountId !== undefined);
  const accounts = data?.items ?? [];
  const chosen = accounts.find((one) => one.account_id === accountId);
  const shown = accountId === undefined ? '' : chosen ? nameOf(chosen, accounts) : shortId(accountId);
  const set = (text: string) => {
    setTyped(text);
    const wanted = text.trim();
    const found = accounts.find((one) => nameOf(one, accounts) === wanted || one.account_id === wanted);
    if (found || /^acct_\w{20,}$/.test(wanted)) {
      setTyped(null);
      onSet(found?.account_id ?? wanted);
    }
  };
  return (
    <>
      <input
        id={id}
        list={`${id}-accounts`}
        value={typed ?? shown}
        placeholder="All"
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => {
          setHasFocus(true);
          event.target.select();
        }}
        onChange={(event) => set(event.target.value)}
        onBlur={({ relatedTarget }) => {
          setHasFocus(false);
          // Left for another control, not for a dialog that comes over the page, or for another window.
          if (relatedTarget === null || relatedTarget.closest('dialog')) return;
          if (typed?.trim() === '') onSet(undefined);
          setTyped(null);
        }}
      />
      <datalist id={`${id}-accounts`}>
        {accounts.map((account) => (
          <option key={account.account_id} value={nameOf(account, accounts)} />
        ))}
      </datalist>
    </>
  );
}

/** The name of an account, with its mode and the end of its id where another has the same. */
function nameOf({ account_id: id, name, mode }: FoundAccount, among: readonly FoundAccount[]): string {
  const isAlone = among.filter((one) => one.name === name).length < 2;
  return isAlone ? name : `${name} (${mode}, …${id.slice(-6)})`;
}
