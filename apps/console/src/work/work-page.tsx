import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button/button.tsx';
import { Field, Select } from '../look/form/field.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import css from '../look/table/table.module.css';
import { Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { duration } from '../look/time/time.tsx';
import { CHANNELS } from '../words/request-words.ts';
import { takeNext } from './desk/take-work.ts';
import { MyDay } from './my-day.tsx';
import { Outgoing } from './outgoing.tsx';
import own from './work.module.css';

const Filters = z.object({
  channel: z.enum(['manual_web_portal', 'manual_phone_call']).optional(),
  sort: z.enum(['waiting', 'oldest']).optional(),
});

type Row = Outputs['work']['stats']['items'][number];

/** The orders of the queue; by payer by default. */
const ORDERS: Readonly<Record<'waiting' | 'oldest', (row: Row) => number>> = {
  waiting: (row) => row.waiting_count,
  oldest: (row) => row.oldest_seconds ?? -1,
};

/** `/work`: the queue, and the button that leases the next request. */
export function WorkPage() {
  const [{ channel, sort }, change] = useQueryModel(Filters);
  const [, go] = useLocation();
  const stats = useQuery({
    queryKey: ['work.stats'],
    queryFn: ({ signal }) => api.work.stats.query(undefined, { signal }),
    placeholderData: keepPreviousData,
  });
  const next = useMutation({
    mutationFn: () => takeNext(channel),
    onSuccess: (requestId) => {
      if (requestId !== null) go(`/work/${requestId}`);
      else void stats.refetch();
    },
  });
  const take = next.isPending ? undefined : () => next.mutate();
  const keyOf = useKeyOf();
  useKeys({ next: take });
  return (
    <Page
      title="Work"
      actions={
        <>
          <Field label="First" htmlFor="sort">
            <Select
              id="sort"
              value={sort ?? ''}
              onChange={(event) => change({ sort: Filters.shape.sort.safeParse(event.target.value).data })}
            >
              <option value="">By payer</option>
              <option value="waiting">The most waiting</option>
              <option value="oldest">The oldest</option>
            </Select>
          </Field>
          <Field label="From" htmlFor="channel">
            <Select
              id="channel"
              value={channel ?? ''}
              onChange={(event) =>
                change({ channel: Filters.shape.channel.safeParse(event.target.value).data })
              }
            >
              <option value="">Portal and phone</option>
              <option value="manual_web_portal">Portal alone</option>
              <option value="manual_phone_call">Phone alone</option>
            </Select>
          </Field>
          <Button
            kind="primary"
            shortcut={keyOf('next')}
            disabled={next.isPending}
            onClick={take}
            className={own.next}
          >
            Next
          </Button>
        </>
      }
    >
      <Outgoing />
      {next.error && <FailureNotice error={next.error} />}
      {next.data === null && (
        <Notice tone="good">
          Nothing waits for a person just now. This page looks again every 15 seconds.
        </Notice>
      )}
      <MyDay />
      <Loaded query={stats} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) => <StatsTable items={items} order={sort && ORDERS[sort]} />}
      </Loaded>
    </Page>
  );
}

interface StatsTableProps {
  readonly items: readonly Row[];
  readonly order: ((row: Row) => number) | undefined;
}

function StatsTable({ items, order = () => 0 }: StatsTableProps) {
  const manual = items
    .filter(({ channel }) => channel.startsWith('manual_'))
    .toSorted((one, other) => order(other) - order(one));
  if (manual.length === 0)
    return (
      <Empty title="No payer’s route asks a person">
        Payers name the channels that are tried for them, in their order. A route with{' '}
        <code>manual_web_portal</code> or <code>manual_phone_call</code> brings work here.
      </Empty>
    );
  return (
    <Table
      caption="What waits, by payer and channel"
      columns={[
        'Payer',
        'Channel',
        'Waiting',
        'Oldest',
        'Under way',
        'Found out, 24 h',
        'Could not, 24 h',
        'Standing',
      ]}
      numbers={['Waiting', 'Oldest', 'Under way', 'Found out, 24 h', 'Could not, 24 h']}
    >
      {manual.map((row) => (
        <tr key={`${row.payer} ${row.channel}`}>
          <th scope="row">{row.payer}</th>
          <td>{CHANNELS[row.channel]}</td>
          <td className={css.number}>{row.waiting_count}</td>
          <td className={css.number}>{row.oldest_seconds === null ? '–' : duration(row.oldest_seconds)}</td>
          <td className={css.number}>
            {row.leased_count}
            {row.on_call_count > 0 && `, ${row.on_call_count} on a call`}
          </td>
          <td className={css.number}>{row.succeeded_count}</td>
          <td className={css.number}>{row.failed_count}</td>
          <td className={css.wide}>
            {row.overdue_count > 0 ? (
              <Mark tone="warn">{`${row.overdue_count} overdue`}</Mark>
            ) : row.waiting_count > 0 ? (
              <Mark tone="wait">In time</Mark>
            ) : (
              <Mark tone="quiet">Nothing waits</Mark>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
