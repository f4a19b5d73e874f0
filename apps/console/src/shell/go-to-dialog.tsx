import { type KeyboardEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { useSearchTerm } from '../requests/search-term.ts';
import type { Me } from '../session/use-me.ts';
import css from './go-to.module.css';
import { type Place, placesOf } from './places.ts';

interface GoToDialogProps {
  readonly me: Me;
  readonly onClose: () => void;
}

/** Where one can go: what it is called, and the way there. */
interface Way {
  readonly name: string;
  readonly go: () => void;
}

/** Ctrl+K: a combobox of the pages, which also opens what has an id, and finds requests by what is typed. */
export function GoToDialog({ me, onClose }: GoToDialogProps) {
  const [, go] = useLocation();
  const [, search] = useSearchTerm();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const ways = waysFor(me, typed.trim(), go, search);
  const at = Math.min(chosen, ways.length - 1);
  const take = (way: Way | undefined) => {
    if (!way) return;
    onClose();
    way.go();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + ways.length) % ways.length);
    else if (event.key === 'Enter') take(ways[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <Field label="A page, an id, a member id or an Idempotency-Key" htmlFor={id}>
        <TextInput
          id={id}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-ways`}
          aria-activedescendant={ways.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
        />
      </Field>
      <ul id={`${id}-ways`} className={css.ways} role="listbox" aria-label="Where to">
        {ways.map((way, index) => (
          <li
            key={way.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setChosen(index)}
            onClick={() => take(way)}
          >
            {way.name}
          </li>
        ))}
      </ul>
      {ways.length === 0 && <p role="status">No page is called that.</p>}
    </Dialog>
  );
}

/** The pages of one thing, by the prefix of its id. */
const PAGES_OF_IDS: Readonly<Record<string, Pick<Place, 'path' | 'name'>>> = {
  req: { path: '/requests', name: 'The request' },
  bat: { path: '/batches', name: 'The batch' },
  held: { path: '/held', name: 'The held output' },
  msg: { path: '/deliveries', name: 'The delivery' },
  ep: { path: '/endpoints', name: 'The endpoint' },
};

function waysFor(
  me: Me,
  typed: string,
  go: (path: string) => void,
  search: (term: string) => void,
): readonly Way[] {
  const kind = /^([a-z]+)_\w+$/.exec(typed)?.[1];
  const ofId = kind === undefined ? undefined : PAGES_OF_IDS[kind];
  if (ofId) return [{ name: `${ofId.name} ${typed}`, go: () => go(`${ofId.path}/${typed}`) }];
  const places = placesOf(me);
  const mayCreate = me.scopes.includes('requests');
  const pages = [
    ...places,
    ...(mayCreate
      ? [
          { path: '/requests/new', name: 'New request' },
          { path: '/batches/new', name: 'New batch' },
        ]
      : []),
    { path: '/settings', name: 'Settings' },
  ]
    .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
    .map(({ path, name }) => ({ name, go: () => go(path) }));
  const seesRequests = places.some(({ path }) => path === '/requests');
  return typed !== '' && seesRequests
    ? [...pages, { name: `Requests with the member id or key ${typed}`, go: () => search(typed) }]
    : pages;
}
