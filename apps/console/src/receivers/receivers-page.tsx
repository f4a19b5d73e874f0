import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { NextTry } from '../deliveries/next-try.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import css from '../look/table/table.module.css';
import { Table } from '../look/table/table.tsx';
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
  return (
    <Table
      caption="Receivers, those left alone first"
      columns={['Host', 'Taken, 24 h', 'Attempts, 24 h', 'Waiting', 'Last attempt', 'Next try']}
      numbers={['Taken, 24 h', 'Attempts, 24 h', 'Waiting']}
    >
      {items.map((receiver, index) => (
        <tr key={receiver.host ?? index} className={receiver.host === null ? undefined : css.target}>
          <th scope="row">
            {receiver.host === null ? (
              'its address is erased'
            ) : (
              <Link href={`/receivers/${receiver.host}`}>{receiver.host}</Link>
            )}
          </th>
          <td className={css.number}>{shareOf(receiver)}</td>
          <td className={css.number}>{receiver.taken_count + receiver.failed_count}</td>
          <td className={css.number}>{waitingOf(receiver)}</td>
          <td>
            <Age since={receiver.last_attempt_at} /> ago
          </td>
          <td className={css.wide}>
            {receiver.next_try_at && (
              <NextTry at={receiver.next_try_at} leftAloneSince={receiver.left_alone_since} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The share of its last day's attempts that a receiver took. */
export function shareOf({ taken_count: taken, failed_count: failed }: FoundReceiver): string {
  return taken + failed === 0 ? '–' : `${Math.floor((100 * taken) / (taken + failed))} %`;
}

/** How much waits for a receiver. It is counted up to ten thousand. */
export const waitingOf = ({ waiting_count: count }: FoundReceiver): string =>
  count === 10_000 ? '10,000 or more' : String(count);
