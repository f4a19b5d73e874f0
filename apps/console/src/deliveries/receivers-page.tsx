import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { modeOf, seesBoth, TESTS_FILTER, TestsShown } from '../filters/tests-filter.ts';
import { Ago } from '../look/ago.tsx';
import { Button } from '../look/button.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import tableCss from '../look/table.module.css';
import { type Column, Table } from '../look/table.tsx';
import { TestMark } from '../look/test-mark.tsx';
import { Host, WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { useMe } from '../session/use-me.ts';
import { SENDINGS } from '../words/request-words.ts';
import { RedeliverDialog } from './redeliver.tsx';

export type FoundReceiver = Outputs['receivers']['list']['items'][number];

/** The receivers of the last day, for the pages that show them; of one mode, or of both. */
export const useReceivers = (mode: { readonly account_mode?: 'live' | 'test' } = {}) =>
  useQuery({
    queryKey: ['receivers.list', mode],
    queryFn: ({ signal }) => api.receivers.list.query(mode, { signal }),
    refetchInterval: 15_000,
  });

const Filters = z.object({ tests: TestsShown });

/** `/receivers`: the callback hosts, those that lost most first. */
export function ReceiversPage() {
  const [filters, change] = useQueryModel(Filters);
  const { data: me } = useMe();
  const query = useReceivers(modeOf(filters, me));
  const [notice, setNotice] = useState<string | null>(null);
  return (
    <Page
      title="Receivers"
      filters={
        seesBoth(me) && (
          <FilterBar
            filters={[TESTS_FILTER]}
            values={filters}
            onChange={(changes) => change(changes as Partial<z.infer<typeof Filters>>)}
          />
        )
      }
    >
      {notice !== null && (
        <Notice tone="good" action={<Button onClick={() => setNotice(null)}>Close</Button>}>
          {notice}
        </Notice>
      )}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No receivers in the last day">
              A host shows here as soon as something is sent to it.
            </Empty>
          ) : (
            <ReceiverTable items={items} onSent={setNotice} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ReceiverTableProps {
  readonly items: readonly FoundReceiver[];
  /** Called with a sentence once deliveries are sent again. */
  readonly onSent: (sentence: string) => void;
}

function ReceiverTable({ items, onSent }: ReceiverTableProps) {
  const columns: Column<FoundReceiver>[] = [
    {
      head: 'Host',
      is: 'name',
      cell: ({ host, endpoint_failing_since: failingSince, account_mode: mode }) =>
        host === null ? (
          'its address is erased'
        ) : (
          <>
            <Link href={`/receivers/${host}`}>
              <Host host={host} />
            </Link>{' '}
            <TestMark mode={mode} /> {failingSince !== null && <Mark tone="warn">Endpoint fails</Mark>}
          </>
        ),
    },
    {
      head: 'Given up',
      cell: ({ host, given_up_count: count }) =>
        count > 0 &&
        (host === null ? (
          count
        ) : (
          <RedeliverGivenUp className={tableCss.act} host={host} count={count} onSent={onSent} />
        )),
    },
    {
      head: 'Paused until',
      from: 'laptop',
      cell: ({ next_try_at: at, paused_since: since }) =>
        since !== null && at !== null && <PausedUntil at={at} />,
    },
    { head: 'Waiting', is: 'number', cell: waitingOf },
    { head: 'Success (day)', is: 'number', from: 'laptop', cell: shareOf },
    {
      head: 'Last answer',
      is: 'words',
      from: 'middle',
      cell: (receiver) => <LastAnswer receiver={receiver} />,
    },
  ];
  return (
    <Table
      caption="Receivers, those with the most given up first"
      items={items}
      columns={columns}
      keyOf={({ host }, index) => host ?? index}
      isTarget={({ host }) => host !== null}
    />
  );
}

function PausedUntil({ at }: { readonly at: string }) {
  const due = useByClock((now) => (Date.parse(at) <= now ? 'Paused, tried now' : ''));
  return due === '' ? <Time at={at} /> : <Mark tone="warn">{due}</Mark>;
}

/** How the last attempt ended, and when. */
export function LastAnswer({ receiver }: { readonly receiver: FoundReceiver }) {
  const { last_outcome: outcome, last_status_code: code, last_attempt_at: at } = receiver;
  return (
    <>
      {outcome !== null && (
        <WholeWords text={`${SENDINGS[outcome]}${code === null || code < 300 ? '' : `: ${code}`}, `} />
      )}
      <span className={layoutCss.quiet}>
        <Ago at={at} />
      </span>
    </>
  );
}

/** The share of its last day's attempts that a receiver took; empty where nothing was sent. */
export function shareOf({ taken_count: taken, failed_count: failed }: FoundReceiver): string {
  return taken + failed === 0 ? '' : `${Math.floor((100 * taken) / (taken + failed))} %`;
}

/** How much waits for a receiver. It is counted up to ten thousand. */
export const waitingOf = ({ waiting_count: count }: FoundReceiver): string =>
  count === 10_000 ? '10,000 or more' : String(count);

interface RedeliverGivenUpProps {
  readonly host: string;
  /** How many of its deliveries were given up; at least one. */
  readonly count: number;
  /** Of its button, where the page has a smaller one. */
  readonly className?: string | undefined;
  /** Called with a sentence once they are sent again. */
  readonly onSent: (sentence: string) => void;
}

/**
 * Sends what a host lost again, from a dialog that counts it first. What to send is filled in: all that was given up. For
 * those who may not, the number only.
 */
export function RedeliverGivenUp({ host, count, className, onSent }: RedeliverGivenUpProps) {
  const { data: me } = useMe();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  if (!me?.scopes.includes('operate')) return <>{countOf(count)}</>;
  return (
    <>
      <Button className={className} onClick={() => setIsAsked(true)}>
        {count === 1 ? 'Deliver this one again' : `Deliver these ${countOf(count)} again`}
      </Button>
      {isAsked && (
        <RedeliverDialog
          filters={{ host, status: 'exhausted' }}
          onClose={(sent) => {
            setIsAsked(false);
            if (sent === null) return;
            onSent(`${sent === 1 ? '1 delivery is' : `${sent} deliveries are`} on the way again.`);
            void queries.invalidateQueries({ queryKey: ['receivers.list'] });
          }}
        />
      )}
    </>
  );
}

const countOf = (count: number): string => (count === 10_000 ? '10,000 or more' : String(count));
