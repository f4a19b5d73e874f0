import { ErrorReason, RequestState, VerificationSource } from '@insurance-verification/schema';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { type Filter, FilterBar } from '../filters/filter-bar.tsx';
import css from '../filters/filters.module.css';
import { modeOf, seesBoth, TESTS_FILTER, TestsShown } from '../filters/tests-filter.ts';
import { Button } from '../look/button.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { AGE_CHOICES, spanOf } from '../look/read-date.ts';
import { useMe } from '../session/use-me.ts';
import { reasonChoices } from '../words/reason-words.ts';
import { CHANNELS, STATES } from '../words/request-words.ts';
import { CallBacksPart } from './call-backs-part.tsx';
import { ACCOUNT_COLUMN, REQUEST_COLUMNS } from './request-table.tsx';
import { useSearchTerm } from './search-term.ts';
import { usePayers } from './use-payers.ts';

/**
 * `/requests`: the requests of the person's account, or for operators of every account, newest first: whose they are,
 * and what was answered.
 */
export function RequestsPage() {
  const [filters, change] = useQueryModel(Filters);
  const [term, search] = useSearchTerm();
  const [, go] = useLocation();
  const { data: me } = useMe();
  const { data: payers } = usePayers();
  const { order, ...asked } = filters;
  const seesAll = me?.scopes.includes('operate') ?? false;
  const input = { ...inputOf(filters), ...modeOf(filters, me), order };
  const mayCreate = me?.scopes.includes('requests') ?? false;
  return (
    <Page
      title="Requests"
      actions={mayCreate && <Button onClick={() => go('/requests/new')}>New request</Button>}
      filters={
        <FilterBar
          filters={[...fieldsOf(payers?.items ?? [], seesAll), ...(seesBoth(me) ? [TESTS_FILTER] : [])]}
          values={asked}
          onChange={(changes) => change(changes as Partial<Filters>)}
        >
          <SearchBox key={term ?? ''} term={term} onSearch={search} />
        </FilterBar>
      }
    >
      <PagedList
        operation="requests.search"
        asked={[input, term]}
        read={async (part, signal) => {
          const read = (sought?: { subscriber_id: string } | { idempotency_key: string }) =>
            api.requests.search.mutate({ ...input, ...sought, ...part }, { signal });
          if (term === null) return read();
          const found = await read({ subscriber_id: term });
          return found.items.length > 0 || part.cursor !== undefined
            ? found
            : read({ idempotency_key: term });
        }}
        isLive
        nouns={['request', 'requests']}
        columns={seesAll ? [...REQUEST_COLUMNS, ACCOUNT_COLUMN] : REQUEST_COLUMNS}
        keyOf={({ request_id: id }) => id}
        isTarget
        order={{
          isOldestFirst: order === 'oldest',
          onTurn: () => change({ order: order === 'oldest' ? undefined : 'oldest' }),
        }}
        isFiltered={term === null && Object.values(asked).some((value) => value !== undefined)}
        none={term === null ? <NoRequests /> : <NotFound />}
      />
      {seesAll && <CallBacksPart leadsTo="/requests" />}
    </Page>
  );
}

const NotFound = () => (
  <Empty title="No request found">
    Type a member id whole, as the card has it; an Idempotency-Key is found for 24 hours at least.
  </Empty>
);

const NoRequests = () => (
  <Empty title="No requests yet">
    One posted to <code>POST /requests/</code> shows here at once; <Link href="/start">Start</Link> says how.
  </Empty>
);

const someText = () => z.string().min(1).optional();

/** The query parameters of the page. None holds patient data; the search term is kept out of the address. */
export const Filters = z.object({
  state: RequestState.optional(),
  payer_id: someText(),
  channel: VerificationSource.optional(),
  age: someText(),
  account_id: someText(),
  error_reason: someText(),
  late: z.literal('yes').optional(),
  tests: TestsShown,
  since: someText(),
  until: someText(),
  order: z.literal('oldest').optional(),
});
export type Filters = z.infer<typeof Filters>;

/** The filters of the list; the account only for people who see several. */
export function fieldsOf(
  payers: Outputs['payers']['list']['items'],
  seesAll: boolean,
): readonly Filter<Exclude<keyof Filters, 'order'>>[] {
  return [
    {
      name: 'state',
      label: 'State',
      choices: RequestState.options.map((one) => [one, STATES[one].word] as const),
    },
    {
      name: 'payer_id',
      label: 'Payer',
      choices: payers.map(({ payer_id, name }) => [payer_id, name] as const),
    },
    {
      name: 'channel',
      label: 'Channel',
      choices: VerificationSource.options.map((one) => [one, CHANNELS[one]] as const),
    },
    { name: 'age', label: 'Age', choices: AGE_CHOICES },
    ...(seesAll ? [{ name: 'account_id', label: 'Account', kind: 'account', rare: true } as const] : []),
    { name: 'error_reason', label: 'Reason', choices: reasonChoices(ErrorReason.options), rare: true },
    { name: 'late', label: 'Overdue', choices: [['yes', 'Only these']], rare: true },
    { name: 'since', label: 'Received since', kind: 'time', rare: true },
    { name: 'until', label: 'Received before', kind: 'time', rare: true },
  ];
}

/** What of these filters narrows the list. */
export function inputOf({ age, late, tests: _tests, since, until, order: _order, ...filters }: Filters) {
  return { ...filters, ...(late && { late: true as const }), ...spanOf(age, { since, until }) };
}

interface SearchBoxProps {
  readonly term: string | null;
  readonly onSearch: (term: string | null) => void;
}

/** Searches requests by member id or Idempotency-Key; a request id opens its page. */
function SearchBox({ term, onSearch }: SearchBoxProps) {
  const [, go] = useLocation();
  const [text, setText] = useState(term ?? '');
  return (
    <form
      className={`${css.chip} ${css.search}`}
      data-set={term !== null}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        if (wanted.startsWith('req_')) go(`/requests/${encodeURIComponent(wanted)}`);
        else if (wanted !== (term ?? '')) onSearch(wanted || null);
      }}
    >
      <label htmlFor="find">Find by member id, request id or Idempotency-Key</label>
      <input
        id="find"
        value={text}
        placeholder="Member id, request id or key"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      {term !== null && (
        <button type="button" aria-label="Show all" onClick={() => onSearch(null)}>
          ×
        </button>
      )}
    </form>
  );
}
