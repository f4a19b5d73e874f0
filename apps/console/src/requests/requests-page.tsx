import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api } from '../api/api.ts';
import { readFullPage } from '../api/read-full-page.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Button } from '../look/button/button.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { FIRST_PAGE, Pager } from '../look/table/pager.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { useMe } from '../session/use-me.ts';
import { fieldsOf, Filters, inputOf } from './request-filters.ts';
import { RequestTable } from './request-table.tsx';
import { SearchBox } from './search-box.tsx';
import { useSearchTerm } from './search-term.ts';
import { usePayers } from './use-payers.ts';

const LIMIT = 50;

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
  const { cursor, page, order, ...asked } = filters;
  const query = useQuery({
    queryKey: ['requests.search', filters, term],
    queryFn: async ({ signal }) => {
      const input = { ...inputOf(filters), order };
      const read = (sought?: { subscriber_id: string } | { idempotency_key: string }) =>
        readFullPage(LIMIT, cursor, (part) =>
          api.requests.search.mutate({ ...input, ...sought, ...part }, { signal }),
        );
      if (term === null) return read();
      const found = await read({ subscriber_id: term });
      return found.items.length > 0 || cursor !== undefined ? found : read({ idempotency_key: term });
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  useKeptPlace(query.data !== undefined);
  const seesAll = me?.scopes.includes('operate') ?? false;
  const mayCreate = me?.scopes.includes('requests') ?? false;
  return (
    <Page
      title="Requests"
      actions={mayCreate && <Button onClick={() => go('/requests/new')}>New request</Button>}
      filters={
        <FilterBar
          filters={fieldsOf(payers?.items ?? [], seesAll)}
          values={asked}
          onChange={(changes) => change({ ...(changes as Partial<Filters>), ...FIRST_PAGE })}
        >
          <SearchBox key={term ?? ''} term={term} onSearch={search} />
        </FilterBar>
      }
    >
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={12} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NoRequests
                term={term}
                isFiltered={Object.values(asked).some((value) => value !== undefined)}
                next={next}
              />
            ) : (
              <RequestTable
                items={items}
                seesAll={seesAll}
                isOldestFirst={order === 'oldest'}
                onTurn={() => change({ order: order === 'oldest' ? undefined : 'oldest', ...FIRST_PAGE })}
              />
            )}
            <Pager place={{ cursor, page }} next={next} count={items.length} onGo={change} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface NoRequestsProps {
  readonly term: string | null;
  readonly isFiltered: boolean;
  readonly next: string | null;
}

function NoRequests({ term, isFiltered, next }: NoRequestsProps) {
  if (next !== null)
    return (
      <Empty title="None among the newest">
        Few requests meet these filters. “Next page” continues the search.
      </Empty>
    );
  if (term !== null)
    return (
      <Empty title="No request found">
        A member id is found whole, as the card has it; white space and the case of letters do not count. A
        key is found as it was sent, for 24 hours at least.
      </Empty>
    );
  if (isFiltered) return <Empty title="No request meets these filters">Clear a filter.</Empty>;
  return (
    <Empty title="No requests yet">
      A request posted to <code>POST /requests/</code> shows here at once. The{' '}
      <a href="/docs">API reference</a> has a form to send the first one, and <Link href="/start">Start</Link>{' '}
      says what else to do first.
    </Empty>
  );
}
