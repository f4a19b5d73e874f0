import { RequestState } from '@insurance-verification/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { CopyButton } from '../look/copy-button.tsx';
import { Field, Select, TextInput } from '../look/form/field.tsx';
import { textOf } from '../look/form/text-of.ts';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import css from '../look/table/table.module.css';
import { IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time.tsx';
import { STATES } from './request-words.ts';

const Filters = z.object({ state: RequestState.optional(), cursor: z.string().optional() });

/** The account's requests, newest first. */
export function RequestsPage() {
  const [filters, change] = useQueryModel(Filters);
  const [, go] = useLocation();
  const query = useQuery({
    queryKey: ['requests.list', filters],
    queryFn: ({ signal }) => api.requests.list.query({ ...filters, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const listIsForbidden = query.error !== null && failureOf(query.error).kind === 'forbidden';
  return (
    <Page title="Requests">
      <div className={css.filters}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const id = textOf(event.currentTarget, 'id').trim();
            if (id !== '') go(`/requests/${encodeURIComponent(id)}`);
          }}
        >
          <Field label="Open by request id" htmlFor="open-id">
            <TextInput
              id="open-id"
              name="id"
              placeholder="req_…"
              size={34}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </form>
        {!listIsForbidden && (
          <Field label="State" htmlFor="state">
            <Select
              id="state"
              value={filters.state ?? ''}
              onChange={(event) => {
                const { data } = RequestState.safeParse(event.target.value);
                change({ state: data, cursor: undefined });
              }}
            >
              <option value="">All</option>
              {RequestState.options.map((state) => (
                <option key={state} value={state}>
                  {STATES[state].word}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {listIsForbidden ? (
        <Empty title="Open a request by its id">
          The list of an account’s requests is for its own people. Yours is every account’s: name the one you
          look for.
        </Empty>
      ) : (
        <Loaded query={query} what="list" skeleton={<SkeletonRows count={12} />}>
          {({ items, next_cursor: next }) => (
            <>
              {items.length === 0 ? (
                <NoRequests isFiltered={filters.state !== undefined} />
              ) : (
                <RequestTable items={items} />
              )}
              <Pager cursor={filters.cursor} next={next} onGo={(cursor) => change({ cursor })} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function RequestTable({ items }: { readonly items: Outputs['requests']['list']['items'] }) {
  return (
    <Table caption="Requests, newest first" columns={['Request', 'State', 'Payer', 'Received', 'Reason']}>
      {items.map(({ request_id: id, state, input, received_timestamp: at, error_reason: reason }) => (
        <tr key={id}>
          <td>
            <IdCell>
              <Link href={`/requests/${id}`}>
                <code>{id}</code>
              </Link>
              <CopyButton text={id ?? ''} name="the request id" />
            </IdCell>
          </td>
          <td>
            <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark>
          </td>
          <td>{input.payer_info.name}</td>
          <td>
            <Time at={at} />
          </td>
          <td className={css.quiet}>{reason ?? ''}</td>
        </tr>
      ))}
    </Table>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No request is in this state">Choose another state, or all.</Empty>;
  return (
    <Empty title="No requests yet">
      A request posted to <code>POST /requests/</code> shows here at once. The{' '}
      <a href="/docs">API reference</a> has a form to send the first one, and <Link href="/start">Start</Link>{' '}
      says what else to do first.
    </Empty>
  );
}
