import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { readFullPage } from '../api/read-full-page.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { FilterForm } from '../look/form/filter-form.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { ShortId, shortId } from '../look/table/short-id.tsx';
import { Slug } from '../look/table/slug.tsx';
import css from '../look/table/table.module.css';
import { IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Age, Time } from '../look/time/time.tsx';
import { useMe } from '../session/use-me.ts';
import { DELIVERIES, SENDINGS } from '../words/request-words.ts';
import { FIELDS, Filters, inputOf } from './delivery-filters.ts';
import { NextTry } from './next-try.tsx';
import { RedeliverDialog } from './redeliver-dialog.tsx';

const LIMIT = 50;

/** `/deliveries`: the deliveries of results to their receivers, newest first. */
export function DeliveriesPage() {
  const [filters, change] = useQueryModel(Filters);
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [isRedelivering, setIsRedelivering] = useState(false);
  const [sentCount, setSentCount] = useState<number | null>(null);
  const { cursor, ...asked } = filters;
  const query = useQuery({
    queryKey: ['deliveries.list', filters],
    queryFn: ({ signal }) =>
      readFullPage(LIMIT, cursor, (page) =>
        api.deliveries.list.query({ ...inputOf(filters), ...page }, { signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  useKeptPlace(query.data !== undefined);
  const mayChange = me?.scopes.some((scope) => scope === 'requests' || scope === 'operate') ?? false;
  const seesAll = me?.scopes.includes('operate') ?? false;
  const canRedeliver =
    mayChange && (filters.status === undefined || ['exhausted', 'delivered'].includes(filters.status));
  return (
    <Page
      title="Deliveries"
      actions={
        canRedeliver && (
          <Button onClick={() => setIsRedelivering(true)}>
            {filters.status === 'delivered' ? 'Deliver these again …' : 'Deliver all given up again …'}
          </Button>
        )
      }
    >
      {sentCount !== null && (
        <Notice tone="good" action={<Button onClick={() => setSentCount(null)}>Close</Button>}>
          {sentCount === 1 ? '1 delivery is' : `${sentCount} deliveries are`} on the way again.
        </Notice>
      )}
      <FilterForm
        filters={seesAll ? FIELDS : FIELDS.filter(({ name }) => name !== 'account_id')}
        values={asked}
        onChange={(values) => change({ ...(values as Partial<Filters>), cursor: undefined })}
      />
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={12} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NoDeliveries
                isFiltered={Object.values(asked).some((value) => value !== undefined)}
                next={next}
              />
            ) : (
              <DeliveryTable items={items} seesAll={seesAll} />
            )}
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
      {isRedelivering && (
        <RedeliverDialog
          filters={filters}
          onClose={(count) => {
            setIsRedelivering(false);
            setSentCount(count);
            if (count !== null) void queries.invalidateQueries({ queryKey: ['deliveries.list'] });
          }}
        />
      )}
    </Page>
  );
}

interface DeliveryTableProps {
  readonly items: readonly Outputs['deliveries']['list']['items'][number][];
  readonly seesAll: boolean;
}

function DeliveryTable({ items, seesAll }: DeliveryTableProps) {
  const columns = [
    'Delivery',
    'Status',
    'Last attempt',
    'Code',
    'Attempts',
    'Host',
    'Accepted',
    'Age',
    'Next attempt, or reason',
  ];
  return (
    <Table
      caption="Deliveries, newest first"
      columns={seesAll ? [...columns, 'Account'] : columns}
      numbers={['Code', 'Attempts', 'Age']}
    >
      {items.map((item) => (
        <tr key={item.delivery_id}>
          <td>
            <IdCell>
              <Link href={`/deliveries/${item.delivery_id}`}>
                <code title={item.delivery_id}>{shortId(item.delivery_id)}</code>
              </Link>
              <CopyButton text={item.delivery_id} name="the delivery id" />
            </IdCell>
          </td>
          <td>
            <Mark tone={DELIVERIES[item.status].tone}>{DELIVERIES[item.status].word}</Mark>
          </td>
          <td className={css.quiet}>
            {item.last_outcome === null ? 'none yet' : SENDINGS[item.last_outcome]}
          </td>
          <td className={css.number}>{item.last_status_code ?? ''}</td>
          <td className={css.number}>{item.attempt_count}</td>
          <td>{item.host ?? ''}</td>
          <td>
            <Time at={item.accepted_at} />
          </td>
          <td className={css.number}>
            <Age since={item.accepted_at} />
          </td>
          <td>
            {item.next_attempt_at === null ? (
              <Slug text={item.reason ?? ''} />
            ) : (
              <NextTry at={item.next_attempt_at} leftAloneSince={item.left_alone_since} />
            )}
          </td>
          {seesAll && (
            <td>
              <ShortId id={item.account_id} of="account id" />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

function NoDeliveries({ isFiltered, next }: { readonly isFiltered: boolean; readonly next: string | null }) {
  if (next !== null)
    return <Empty title="None among the newest">Few deliveries meet these filters. “Older” looks on.</Empty>;
  if (isFiltered) return <Empty title="No delivery meets these filters">Take a filter away.</Empty>;
  return (
    <Empty title="No deliveries yet">
      Each result is posted to the callback address of its request. The first shows here as soon as a result
      is accepted.
    </Empty>
  );
}
