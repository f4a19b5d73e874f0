import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { useSearchTerm } from '../requests/search-term.ts';
import type { Me } from '../session/use-me.ts';
import { ANSWERS } from '../words/request-words.ts';
import { actionsOnPage } from './page-actions.ts';
import css from './palette.module.css';
import { type Place, placesOf } from './places.ts';
import { type FoundRequest, useFoundRequests } from './use-found-requests.ts';

interface PaletteProps {
  readonly me: Me;
  readonly onClose: () => void;
}

/** What the palette does when it is chosen. */
interface Choice {
  readonly key: string;
  readonly shown: ReactNode;
  readonly go: () => void;
}

interface Group {
  readonly name: string;
  readonly choices: readonly Choice[];
}

/**
 * Ctrl+K: a combobox of what the page that is open can do, of the pages, and of requests, by id, member id or patient's
 * initials.
 */
export function Palette({ me, onClose }: PaletteProps) {
  const [, go] = useLocation();
  const [, search] = useSearchTerm();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [actions, setActions] = useState(actionsOnPage);
  const id = useId();
  const sought = typed.trim();
  const seesRequests = placesOf(me).some(({ path }) => path === '/requests');
  const found = useFoundRequests(seesRequests ? sought : '');
  const groups = groupsOf({ me, sought, actions, seesRequests, found: found.data ?? [], go, search });
  const choices = groups.flatMap((group) => group.choices);
  const at = Math.min(chosen, choices.length - 1);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.go();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + choices.length) % choices.length);
    else if (event.key === 'Enter') take(choices[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find or do" onClose={onClose}>
      <Field label="An action, a page, an id, a member id, initials or an Idempotency-Key" htmlFor={id}>
        <TextInput
          id={id}
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-autocomplete="list"
          aria-controls={`${id}-choices`}
          aria-activedescendant={choices.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
            setActions(actionsOnPage()); // the page may have loaded meanwhile
          }}
          onKeyDown={press}
        />
      </Field>
      {found.error !== null && <FailureNotice error={found.error} />}
      <div id={`${id}-choices`} className={css.choices} role="listbox" aria-label="Choices">
        {groups.map(({ name, choices: ofGroup }) => (
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden="true">{name}</p>
            {ofGroup.map((choice) => {
              const index = choices.indexOf(choice);
              return (
                <div
                  key={choice.key}
                  id={`${id}-${index}`}
                  ref={(element) => {
                    if (index === at) element?.scrollIntoView({ block: 'nearest' });
                  }}
                  role="option"
                  aria-selected={index === at}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => take(choice)}
                >
                  {choice.shown}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className={css.said}>
        {saidOf(choices.length, found)}
      </p>
    </Dialog>
  );
}

function saidOf(count: number, { data, isFetching }: ReturnType<typeof useFoundRequests>): string {
  if (isFetching) return 'Looking for requests …';
  if (count === 0) return 'Nothing is called that.';
  if (data === undefined || data.length === 0) return '';
  return data.length === 1 ? '1 request found.' : `${data.length} requests found.`;
}

/** The pages of one thing, by the prefix of its id. */
const PAGES_OF_IDS: Readonly<Record<string, Pick<Place, 'path' | 'name'>>> = {
  req: { path: '/requests', name: 'The request' },
  bat: { path: '/batches', name: 'The batch' },
  held: { path: '/held', name: 'The held output' },
  msg: { path: '/deliveries', name: 'The delivery' },
  ep: { path: '/endpoints', name: 'The endpoint' },
};

interface Offered {
  readonly me: Me;
  readonly sought: string;
  readonly actions: ReturnType<typeof actionsOnPage>;
  readonly seesRequests: boolean;
  readonly found: readonly FoundRequest[];
  readonly go: (path: string) => void;
  readonly search: (term: string) => void;
}

/**
 * What fits the typed text, in groups; of an id only what it names. Requests come last: they are found later, and must not
 * move what is chosen.
 */
function groupsOf({ me, sought, actions, seesRequests, found, go, search }: Offered): readonly Group[] {
  const kind = /^([a-z]+)_\w+$/.exec(sought)?.[1];
  const ofId = kind === undefined ? undefined : PAGES_OF_IDS[kind];
  if (ofId) {
    const { name, path } = ofId;
    return [
      {
        name: 'Open',
        choices: [{ key: sought, shown: `${name} ${sought}`, go: () => go(`${path}/${sought}`) }],
      },
    ];
  }
  const fits = ({ name }: { readonly name: string }) => name.toLowerCase().includes(sought.toLowerCase());
  const groups: Group[] = [
    {
      name: 'On this page',
      choices: actions.filter(fits).map(({ name, act }) => ({ key: name, shown: name, go: act })),
    },
    {
      name: 'Pages',
      choices: pagesFor(me)
        .filter(fits)
        .map(({ name, path }) => ({ key: path, shown: name, go: () => go(path) })),
    },
    {
      name: 'Requests',
      choices:
        seesRequests && sought !== ''
          ? [
              {
                key: 'search',
                shown: `Requests with the member id or key ${sought}`,
                go: () => search(sought),
              },
              ...found.map((request) => ({
                key: request.request_id,
                shown: <FoundLine request={request} />,
                go: () => go(`/requests/${request.request_id}`),
              })),
            ]
          : [],
    },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

function pagesFor(me: Me): readonly Pick<Place, 'path' | 'name'>[] {
  const making = [
    { path: '/requests/new', name: 'New request' },
    { path: '/batches/new', name: 'New batch' },
  ];
  const mayCreate = me.scopes.includes('requests');
  return [...placesOf(me), ...(mayCreate ? making : []), { path: '/settings', name: 'Settings' }];
}

/** A request by its patient's initials and payer, with its answer and when it came. */
function FoundLine({ request }: { readonly request: FoundRequest }) {
  const { patient_initials: initials, payer, answer, received_timestamp: at } = request;
  return (
    <>
      <WholeWords text={`${initials ?? 'No name'} at ${payer}, `} />
      {answer === null ? 'data erased' : ANSWERS[answer].word}, <Time at={at} />
    </>
  );
}
