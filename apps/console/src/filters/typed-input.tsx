import { useState } from 'react';
import { fromTyped, toTyped } from '../look/form/typed-time.ts';
import { useZone } from '../look/time/zone.ts';
import type { Filter } from './filter.ts';

interface TypedInputProps {
  readonly id: string;
  readonly kind: NonNullable<Filter<string>['kind']>;
  readonly hint: string | undefined;
  readonly value: string | undefined;
  readonly onSet: (value: string | undefined) => void;
}

/** The field of a filter that is typed. It applies on Enter, and when it is left. */
export function TypedInput({ id, kind, hint, value, onSet }: TypedInputProps) {
  const { zone } = useZone();
  const isTime = kind === 'time';
  const shown = isTime ? toTyped(value ?? '', zone) : (value ?? '');
  const [[typed, of], setTyped] = useState([shown, shown]);
  // Set elsewhere, by Back or by Clear.
  if (of !== shown) setTyped([shown, shown]);
  const apply = () => {
    const text = typed.trim();
    if (text !== shown) onSet((isTime ? fromTyped(text, zone) : text) || undefined);
  };
  return (
    <input
      id={id}
      type={isTime ? 'datetime-local' : kind === 'number' ? 'number' : 'text'}
      value={typed}
      placeholder={hint}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setTyped([event.target.value, shown])}
      // Left for another control, not for a dialog that comes over the page, or for another window.
      onBlur={({ relatedTarget }) => relatedTarget !== null && !relatedTarget.closest('dialog') && apply()}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
