import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Outputs, readFullPage } from '../api/api.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Button, CopyButton } from '../look/button.tsx';
import { Named } from '../look/ids.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { Page, useKeptPlace } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import css from '../look/table.module.css';
import { FIRST_PAGE, Pager, type Column, IdCell, Table } from '../look/table.tsx';
import { Host, Whole, WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { useMe } from '../session/use-me.ts';
import { DELIVERIES, SENDINGS } from '../words/request-words.ts';
import { FIELDS, Filters, inputOf, NextTry, RedeliverDialog } from './redeliver.tsx';

const LIMIT = 50;

/** `/deliveries`: the deliveries of results to their receivers, newest first. */
export function DeliveriesPage() {
  const [filters, change] = useQueryModel(Filters);
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [isRedelivering, setIsRedelivering] = useState(false);
  const [sentCount, setSentCount] = useState<number | null>(null);
  const { cursor, page, order, ...asked } = filters;
  const query = useQuery({
    queryKey: ['deliveries.list', filters],
    queryFn: ({ signal }) =>
      readFullPage(LIMIT, cursor, (part) =>
        api.deliveries.list.query({ ...inputOf(filters), order, ...part }, { signal }),
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
      actions={canRedeliver && <Button onClick={() => setIsRedelivering(true)}>Deliver again …</Button>}
      filters={
        <FilterBar
          filters={seesAll ? FIELDS : FIELDS.filter(({ name }) => name !== 'account_id')}
          values={asked}
          onChange={(changes) => change({ ...(changes as Partial<Filters>), ...FIRST_PAGE })}
        />
      }
    >
      {sentCount !== null && (
        <Notice tone="good" action={<Button onClick={() => setSentCount(null)}>Close</Button>}>
          {sentCount === 1 ? '1 delivery is' : `${sentCount} deliveries are`} on the way again.
        </Notice>
      )}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={12} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <NoDeliveries
                isFiltered={Object.values(asked).some((value) => value !== undefined)}
                next={next}
              />
            ) : (
              <DeliveryTable
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

type Summary = Outputs['deliveries']['list']['items'][number];

interface DeliveryTableProps {
  readonly items: readonly Summary[];
  readonly seesAll: boolean;
  readonly isOldestFirst: boolean;
  /** Turns the order of the list. */
  readonly onTurn: () => void;
}

function DeliveryTable({ items, seesAll, isOldestFirst, onTurn }: DeliveryTableProps) {
  const columns: Column<Summary>[] = [
    {
      head: 'Payer',
      is: 'words',
      cell: ({ delivery_id: id, payer }) => (
        <IdCell>
          <Link href={`/deliveries/${id}`} title={id}>
            <WholeWords text={payer} />
          </Link>
          <CopyButton text={id} name="the delivery id" />
        </IdCell>
      ),
    },
    {
      head: 'Patient',
      cell: ({ patient_initials: initials }) => <Whole>{initials}</Whole>,
    },
    ...(seesAll
      ? [
          {
            head: 'Clinic',
            is: 'words',
            from: 'laptop',
            cell: (item: Summary) => <Named id={item.account_id} name={item.account_name} />,
          } as const,
        ]
      : []),
    { head: 'Host', is: 'words', from: 'middle', cell: ({ host }) => host !== null && <Host host={host} /> },
    {
      head: 'Status',
      cell: ({ status }) => <Mark tone={DELIVERIES[status].tone}>{DELIVERIES[status].word}</Mark>,
    },
    { head: 'Attempts', is: 'number', from: 'laptop', cell: (item) => item.attempt_count },
    { head: 'Next or why', is: 'words', from: 'middle', cell: (item) => <NextOrWhy delivery={item} /> },
    {
      head: 'Accepted',
      from: 'laptop',
      turn: { isOldestFirst, onTurn },
      cell: ({ accepted_at: at }) => <Time at={at} />,
    },
  ];
  return (
    <Table
      caption={`Deliveries, ${isOldestFirst ? 'oldest' : 'newest'} first`}
      items={items}
      columns={columns}
      keyOf={({ delivery_id: id }) => id}
      isTarget
    />
  );
}

/** When it is sent next, and how the last attempt failed: for what was given up, the reason. */
function NextOrWhy({ delivery }: { readonly delivery: Summary }) {
  const { next_attempt_at: next, paused_since: since, reason } = delivery;
  const { last_outcome: outcome, last_status_code: code } = delivery;
  return (
    <>
      {next !== null && <NextTry at={next} pausedSince={since} />}
      {outcome !== null && outcome !== 'succeeded' && (
        <p className={next === null ? undefined : css.quiet} title={reason ?? undefined}>
          <WholeWords text={`${SENDINGS[outcome]}${code === null ? '' : `: ${code}`}`} />
        </p>
      )}
    </>
  );
}

function NoDeliveries({ isFiltered, next }: { readonly isFiltered: boolean; readonly next: string | null }) {
  if (next !== null)
    return (
      <Empty title="None among the newest">
        Few deliveries meet these filters. “Next page” continues the search.
      </Empty>
    );
  if (isFiltered) return <Empty title="No delivery meets these filters">Clear a filter.</Empty>;
  return (
    <Empty title="No deliveries yet">
      Each result is posted to the callback address of its request. The first shows here as soon as a result
      is accepted.
    </Empty>
  );
}
