import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { FilterBar, type Filter } from '../filters/filter-bar.tsx';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { useQueryModel } from '../look/query-model.ts';
import { dayBegan } from '../look/read-date.ts';
import { type Column, Table } from '../look/table.tsx';
import { duration, Time, useZone } from '../look/time.tsx';
import { CallBacksPart } from '../requests/call-backs-part.tsx';
import { opensWords } from '../words/opens-words.ts';
import { DoneList } from './done.tsx';
import { beginRun, type Run, takeNext, useEndedRun } from './take-work.ts';
import own from './work.module.css';

const Filters = z.object({ channel: z.enum(['manual_web_portal', 'manual_phone_call']).optional() });

const FIELDS: readonly Filter<'channel'>[] = [
  {
    name: 'channel',
    label: 'From',
    none: 'Portal and phone',
    choices: [
      ['manual_web_portal', 'Only portal'],
      ['manual_phone_call', 'Only phone'],
    ],
  },
];

/** `/work`: what waits for a person, payer by payer, and the button that leases the next request. */
export function WorkPage() {
  const [{ channel }, change] = useQueryModel(Filters);
  const [, go] = useLocation();
  const stats = useQuery({
    queryKey: ['work.stats', channel],
    queryFn: ({ signal }) => api.work.stats.query({ verifier: channel ?? 'person' }, { signal }),
    placeholderData: keepPreviousData,
  });
  const next = useMutation({
    mutationFn: (run: Run) => takeNext(beginRun(run)),
    onSuccess: (requestId) => {
      if (requestId !== null) go(`/work/${requestId}`);
      else void stats.refetch();
    },
  });
  const takeFrom = (payer?: string) => next.mutate({ payer, channel });
  const take = next.isPending ? undefined : () => takeFrom();
  const ended = useEndedRun();
  const keyOf = useKeyOf();
  useKeys({ next: take });
  const waiting = stats.data && byPayer(stats.data.items).waiting;
  return (
    <Page
      title="Work"
      actions={
        <>
          {waiting && waiting.length > 0 && (
            <p className={own.waiting}>
              {waiting.reduce((sum, { count }) => sum + count, 0)} wait, the oldest for{' '}
              {duration(Math.max(...waiting.map(({ oldestSeconds }) => oldestSeconds)))}
            </p>
          )}
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
      filters={
        <FilterBar
          filters={FIELDS}
          values={{ channel }}
          onChange={(changes) => change(changes as Partial<z.infer<typeof Filters>>)}
        />
      }
    >
      {next.error && <FailureNotice error={next.error} />}
      {ended !== null && (
        <Notice tone="good">
          {ended.payer === undefined
            ? 'Nothing waits for a person just now. This page follows by itself.'
            : `Nothing more waits at ${ended.payer}. Next continues with the request that has waited longest.`}
        </Notice>
      )}
      <CallBacksPart leadsTo="/work" />
      <MyDay />
      <Loaded query={stats} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items }) =>
          items.some((item) => item.channel.startsWith('manual_')) ? (
            <PayerTable {...byPayer(items)} onTake={next.isPending ? undefined : takeFrom} />
          ) : (
            <Empty title="No payer’s route asks a person">
              Payers name the channels that are tried for them, in their order. A route with{' '}
              <code>manual_web_portal</code> or <code>manual_phone_call</code> brings work here.
            </Empty>
          )
        }
      </Loaded>
      <DoneList />
    </Page>
  );
}

type ChannelStats = Outputs['work']['stats']['items'][number];

/** What a person would be given of one payer. */
interface PayerWork {
  readonly payer: string;
  readonly count: number;
  readonly oldestSeconds: number;
  readonly overdueCount: number;
  readonly leasedCount: number;
  readonly onCallCount: number;
  readonly inPortalCount: number;
  /** The channels that they would be worked in, with how many each has. */
  readonly channels: readonly ChannelStats[];
}

/** A payer whose phone is not answered now. */
interface ClosedPayer {
  readonly payer: string;
  readonly opensAt: string;
  readonly timeZone: string | null;
  /** Requests that wait to be called about. */
  readonly closedCount: number;
}

interface PayersWork {
  /** The payers with waiting requests; the oldest request first. */
  readonly waiting: readonly PayerWork[];
  readonly resting: readonly PayerWork[];
  /** The payers that are closed and have waiting phone work; the first to open first. */
  readonly closed: readonly ClosedPayer[];
}

/** The channels of each payer's route as one row for people. */
function byPayer(items: readonly ChannelStats[]): PayersWork {
  const manual = items.filter(({ channel }) => channel.startsWith('manual_'));
  const all = [...Map.groupBy(manual, ({ payer }) => payer)].map(([payer, channels]) => {
    const sum = (countOf: (channel: ChannelStats) => number) =>
      channels.reduce((total, channel) => total + countOf(channel), 0);
    return {
      payer,
      count: sum((channel) => channel.claimable_count),
      oldestSeconds: Math.max(...channels.map((channel) => channel.oldest_claimable_seconds ?? 0)),
      overdueCount: sum((channel) => channel.overdue_count),
      leasedCount: sum((channel) => channel.leased_count),
      onCallCount: sum((channel) => channel.on_call_count),
      inPortalCount: sum((channel) => channel.in_portal_count),
      channels: channels.filter((channel) => channel.claimable_count > 0),
    };
  });
  const { waiting = [], resting = [] } = Object.groupBy(all, ({ count }) =>
    count > 0 ? 'waiting' : 'resting',
  );
  const closed = manual
    .flatMap(({ payer, opens_at: opensAt, time_zone: timeZone, waiting_count: closedCount }) =>
      opensAt !== null && closedCount > 0 ? [{ payer, opensAt, timeZone, closedCount }] : [],
    )
    .toSorted((one, other) => Date.parse(one.opensAt) - Date.parse(other.opensAt));
  const isClosed = new Set(closed.map(({ payer }) => payer));
  return {
    waiting: waiting.toSorted((one, other) => other.oldestSeconds - one.oldestSeconds),
    resting: resting.filter(({ payer }) => !isClosed.has(payer)),
    closed,
  };
}

interface PayerTableProps extends PayersWork {
  /** Takes the next request of a payer; undefined while one is taken. */
  readonly onTake: ((payer: string) => void) | undefined;
}

/** A row for each payer with waiting requests, which takes the next one; the others share a line. */
function PayerTable({ waiting, resting, closed, onTake }: PayerTableProps) {
  const columns: readonly Column<PayerWork>[] = [
    {
      head: 'Payer',
      is: 'name',
      cell: ({ payer }) => (
        <button
          type="button"
          className={own.payer}
          title={`Take the next request of ${payer}`}
          disabled={!onTake}
          onClick={() => onTake?.(payer)}
        >
          {payer}
        </button>
      ),
    },
    { head: 'Waiting', is: 'number', cell: ({ count }) => count },
    { head: 'Oldest', is: 'number', cell: ({ oldestSeconds }) => duration(oldestSeconds) },
    {
      head: 'Under way',
      is: 'number',
      from: 'middle',
      cell: (row) => [row.leasedCount, ...keptOf(row)].join(', '),
    },
    {
      head: 'Where',
      is: 'words',
      cell: ({ channels, overdueCount }) => (
        <>
          {channels
            .map(
              ({ channel, claimable_count: count }) =>
                `${channel === 'manual_phone_call' ? 'Phone' : 'Portal'}: ${count}`,
            )
            .join(', ')}
          {overdueCount > 0 && <Mark tone="warn">{`${overdueCount} overdue`}</Mark>}
        </>
      ),
    },
  ];
  return (
    <>
      {waiting.length > 0 && (
        <Table
          caption="What waits for a person, by payer, the oldest first"
          items={waiting}
          columns={columns}
          keyOf={({ payer }) => payer}
          isTarget
        />
      )}
      {closed.length > 0 && (
        <ul className={layoutCss.quiet}>
          {closed.map(({ payer, opensAt, timeZone, closedCount }) => (
            <li key={payer}>
              {payer} {opensWords(opensAt, timeZone)}: {closedCount === 1 ? '1 waits' : `${closedCount} wait`}{' '}
              to be called
            </li>
          ))}
        </ul>
      )}
      {resting.length > 0 && (
        <p className={layoutCss.quiet}>
          Nothing waits at{' '}
          {resting
            .map((row) =>
              row.leasedCount > 0
                ? `${row.payer} (${[`${row.leasedCount} under way`, ...keptOf(row)].join(', ')})`
                : row.payer,
            )
            .join(', ')}
          .
        </p>
      )}
    </>
  );
}

/** Of those under way, how many are kept without a key pressed. */
const keptOf = ({ onCallCount, inPortalCount }: PayerWork): string[] => [
  ...(onCallCount > 0 ? [`${onCallCount} on a call`] : []),
  ...(inPortalCount > 0 ? [`${inPortalCount} in the portal`] : []),
];

/** The work that the person finished today, and their open drafts. */
function MyDay() {
  const { zone } = useZone();
  const day = useQuery({
    queryKey: ['work.day', zone],
    queryFn: ({ signal }) => api.work.day.query({ since: dayBegan(serverNow(), zone) }, { signal }),
    placeholderData: keepPreviousData,
  });
  const drafts = useQuery({
    // Not by the operation's name, by which events of others' work would have it read each second.
    queryKey: ['own drafts'],
    queryFn: ({ signal }) => api.drafts.list.query({ limit: 20 }, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = day;
  const facts: readonly (readonly [string, string | number])[] = [
    ['Done', data?.done_count ?? '–'],
    ['Could not verify', data?.failed_count ?? '–'],
    ['Median', data?.seconds_p50 ? duration(data.seconds_p50) : '–'],
    ['Drafts', data?.draft_count ?? '–'],
  ];
  return (
    <section className={own.day} aria-label="My day">
      <h2>My day</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {drafts.data && drafts.data.items.length > 0 && (
        <ul>
          {drafts.data.items.map((draft) => (
            <li key={draft.request_id}>
              <Link href={`/work/${draft.request_id}`}>
                Continue with {draft.patient_initials ?? 'a patient'} at {draft.payer}
              </Link>
              <span>
                saved <Time at={draft.saved_at} />
              </span>
              {draft.is_leased ? (
                <Mark tone="wait">Taken, by you or a colleague</Mark>
              ) : (
                <Mark tone="quiet">Free</Mark>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
