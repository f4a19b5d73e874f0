import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { LateDialog } from '../look/dialog.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { type Column, Table } from '../look/table.tsx';
import { WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';
import { EVENTS } from '../words/request-words.ts';
import { EndpointState } from './endpoint-state.tsx';
import { addressOf, COVERS, type Endpoint } from './endpoint-words.ts';

const AddEndpointDialog = lazy(async () => ({
  default: (await import('./add-endpoint-dialog.tsx')).AddEndpointDialog,
}));

const AccountDialog = lazy(async () => ({
  default: (await import('../access/account-dialog.tsx')).AccountDialog,
}));

/** The most endpoints of an account. */
const COUNT_MAX = 5;

/** Whether a person may change endpoints, and not only look. */
export const mayChangeEndpoints = (scopes: readonly string[] | undefined): boolean =>
  scopes?.some((scope) => scope === 'requests' || scope === 'operate') ?? false;

/** `/endpoints`: the addresses that an account's events are posted to, oldest first. */
export function EndpointsPage() {
  const { data: me } = useMe();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const [chooses, setChooses] = useState(false);
  const query = useQuery({
    queryKey: ['endpoints.list', me?.account_id],
    queryFn: ({ signal }) => api.endpoints.list.query(undefined, { signal }),
    refetchInterval: 15_000,
  });
  const count = query.data?.items.length ?? 0;
  const mayAdd = mayChangeEndpoints(me?.scopes);
  return (
    <Page
      title="Endpoints"
      actions={
        mayAdd && (
          <Button kind="primary" disabled={count >= COUNT_MAX} onClick={() => setIsAdding(true)}>
            Add an endpoint
          </Button>
        )
      }
    >
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={5} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No endpoints yet">
              An endpoint is an address of your software. Events are posted to it, for all requests, as they
              happen.
            </Empty>
          ) : (
            <Table
              caption="Endpoints, oldest first"
              items={items}
              columns={columnsFor(items)}
              keyOf={({ endpoint_id: id }) => id}
              isTarget
            />
          )
        }
      </Loaded>
      {me?.session?.may_switch && (
        <p className={layoutCss.quiet}>
          These are the endpoints of {me.session.account_name}.{' '}
          <Button onClick={() => setChooses(true)}>Another account’s …</Button>
        </p>
      )}
      {count >= COUNT_MAX && mayAdd && (
        <p className={layoutCss.quiet}>An account has five endpoints at most: end one to add another.</p>
      )}
      {chooses && me && (
        <LateDialog onClose={() => setChooses(false)}>
          <AccountDialog me={me} onClose={() => setChooses(false)} />
        </LateDialog>
      )}
      {isAdding && me && (
        <LateDialog onClose={() => setIsAdding(false)}>
          <AddEndpointDialog
            me={me}
            onClose={(id) => {
              setIsAdding(false);
              if (id === null) return;
              void queries.invalidateQueries({ queryKey: ['endpoints.list'] });
              go(`/endpoints/${id}`);
            }}
          />
        </LateDialog>
      )}
    </Page>
  );
}

/** The columns of the list; without those that would be empty in every row. */
function columnsFor(items: readonly Endpoint[]): readonly Column<Endpoint>[] {
  return [
    {
      head: 'Address',
      is: 'name',
      cell: (endpoint) => (
        <Link href={`/endpoints/${endpoint.endpoint_id}`}>
          <WholeWords text={addressOf(endpoint)} />
        </Link>
      ),
    },
    { head: 'Status', is: 'words', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    ...(items.some(({ missed_count: missed }) => missed > 0)
      ? [{ head: 'Missed', is: 'number', cell: missedOf } satisfies Column<Endpoint>]
      : []),
    ...(items.some(({ covers }) => covers !== 'own')
      ? [
          {
            head: 'Events of',
            is: 'words',
            from: 'laptop',
            cell: ({ covers }) => COVERS[covers],
          } satisfies Column<Endpoint>,
        ]
      : []),
    {
      head: 'It gets',
      is: 'words',
      from: 'laptop',
      cell: ({ types }) => types.map((type) => EVENTS[type]).join(', '),
    },
    { head: 'Added', from: 'laptop', cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

const missedOf = ({ missed_count: count }: Endpoint): string =>
  count >= 10_000 ? '10,000 or more' : String(count || '');
