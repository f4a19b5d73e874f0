import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { NextTry } from '../deliveries/next-try.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { type Column, Table } from '../look/table/table.tsx';
import { Age } from '../look/time/time.tsx';

export type FoundReceiver = Outputs['receivers']['list']['items'][number];

/** The receivers of the last day, for the pages that show them. */
export const useReceivers = () =>
  useQuery({
    queryKey: ['receivers.list'],
    queryFn: ({ signal }) => api.receivers.list.query(undefined, { signal }),
    refetchInterval: 15_000,
  });

/** `/receivers`: the callback hosts, those in trouble first. */
export function ReceiversPage() {
  const query = useReceivers();
  return (
    <Page title="Receivers">
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No receivers in the last day">
              The host of each callback address shows here as soon as something is sent to it.
            </Empty>
          ) : (
            <ReceiverTable items={items} />
          )
        }
      </Loaded>
    </Page>
  );
}

function ReceiverTable({ items }: { readonly items: readonly FoundReceiver[] }) {
  const columns: Column<FoundReceiver>[] = [
    {
      head: 'Host',
      is: 'name',
      cell: ({ host }) =>
        host === null ? 'its address is erased' : <Link href={`/receivers/${host}`}>{host}</Link>,
    },
    { head: 'Taken, 24 h', is: 'number', cell: shareOf },
    {
      head: 'Attempts, 24 h',
      is: 'number',
      from: 'middle',
      cell: (receiver) => receiver.taken_count + receiver.failed_count,
    },
    { head: 'Waiting', is: 'number', cell: waitingOf },
    {
      head: 'Last attempt',
      is: 'number',
      from: 'middle',
      cell: (receiver) => (
        <>
          <Age since={receiver.last_attempt_at} /> ago
        </>
      ),
    },
    {
      head: 'Next try',
      is: 'words',
      cell: ({ next_try_at: at, left_alone_since: since }) =>
        at && <NextTry at={at} leftAloneSince={since} />,
    },
  ];
  return (
    <Table
      caption="Receivers, those left alone first"
      items={items}
      columns={columns}
      keyOf={({ host }, index) => host ?? index}
      isTarget={({ host }) => host !== null}
    />
  );
}

/** The share of its last day's attempts that a receiver took. */
export function shareOf({ taken_count: taken, failed_count: failed }: FoundReceiver): string {
  return taken + failed === 0 ? '–' : `${Math.floor((100 * taken) / (taken + failed))} %`;
}

/** How much waits for a receiver. It is counted up to ten thousand. */
export const waitingOf = ({ waiting_count: count }: FoundReceiver): string =>
  count === 10_000 ? '10,000 or more' : String(count);
