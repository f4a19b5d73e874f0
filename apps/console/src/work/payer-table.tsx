import type { Outputs } from '../api/api.ts';
import layoutCss from '../look/layout.module.css';
import { Mark } from '../look/mark.tsx';
import { type Column, Table } from '../look/table.tsx';
import { duration } from '../look/time.tsx';
import { useByClock } from '../look/use-now.ts';
import { OwnTestMark } from '../session/own-test-mark.tsx';
import { opensWords } from '../words/payer-clock.ts';
import own from './work.module.css';

type ChannelStats = Outputs['work']['stats']['items'][number];

/** What a person would be given of one payer. */
interface PayerWork {
  readonly payer: string;
  readonly count: number;
  /** Since when the oldest has been due, by the service's clock in milliseconds. */
  readonly oldestSince: number;
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
  /** The payers with waiting requests: those with something late first, then the next that is needed, then the oldest. */
  readonly waiting: readonly PayerWork[];
  readonly resting: readonly PayerWork[];
  /** The payers that are closed and have waiting phone work; the first to open first. */
  readonly closed: readonly ClosedPayer[];
}

/** The channels of each payer's route, as they were read at a time, as one row for people. */
export function byPayer(items: readonly ChannelStats[], readAt: number): PayersWork {
  const manual = items.filter(({ channel }) => channel.startsWith('manual_'));
  const all = [...Map.groupBy(manual, ({ payer }) => payer)].map(([payer, channels]) => {
    const sum = (countOf: (channel: ChannelStats) => number) =>
      channels.reduce((total, channel) => total + countOf(channel), 0);
    return {
      payer,
      count: sum((channel) => channel.claimable_count),
      oldestSince:
        readAt - 1_000 * Math.max(...channels.map((channel) => channel.oldest_claimable_seconds ?? 0)),
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
    waiting: waiting.toSorted(
      (one, other) =>
        neededOf(other.channels).lateCount - neededOf(one.channels).lateCount ||
        neededOf(one.channels).nextAt - neededOf(other.channels).nextAt ||
        one.oldestSince - other.oldestSince,
    ),
    resting: resting.filter(({ payer }) => !isClosed.has(payer)),
    closed,
  };
}

interface PayerTableProps extends PayersWork {
  /** Takes the next request of a payer; undefined while one is taken. */
  readonly onTake: ((payer: string) => void) | undefined;
}

/** A row for each payer with waiting requests, which takes the next one; the others share a line. */
export function PayerTable({ waiting, resting, closed, onTake }: PayerTableProps) {
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
          {payer} <OwnTestMark />
        </button>
      ),
    },
    { head: 'Waiting', is: 'number', cell: ({ count }) => count },
    {
      head: 'Needed',
      is: 'words',
      cell: ({ channels }) =>
        channels.some((channel) => isNeeded(channel)) && <NeededByChannel channels={channels} />,
    },
    { head: 'Oldest', is: 'number', cell: ({ oldestSince }) => <Age since={oldestSince} /> },
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
          {channels.map((one) => `${wayOf(one)}: ${one.claimable_count}`).join(', ')}
          {overdueCount > 0 && <Mark tone="warn">{`${overdueCount} overdue`}</Mark>}
        </>
      ),
    },
  ];
  return (
    <>
      {waiting.length > 0 && (
        <Table
          caption="What waits for a person, by payer, what is late first"
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

/** How many of the channels' requests are late, and when the next of the others is needed; infinite where none says. */
function neededOf(channels: readonly ChannelStats[]) {
  const next = channels.flatMap(({ next_needed_at: at }) => (at === null ? [] : [Date.parse(at)]));
  return {
    lateCount: channels.reduce((sum, { late_count: count }) => sum + count, 0),
    nextAt: Math.min(...next),
  };
}

const isNeeded = ({ late_count: late, next_needed_at: at }: ChannelStats): boolean => late > 0 || at !== null;

interface NeededProps {
  readonly of: readonly ChannelStats[];
  /** Text before it, where there is something to say. */
  readonly before?: string;
}

/** `3 late, next in 25 min`, by the clock; nothing where no request says when it is needed. */
export function Needed({ of, before = '' }: NeededProps) {
  const { lateCount, nextAt } = neededOf(of);
  const next = useByClock((now) => {
    if (nextAt === Infinity) return '';
    const seconds = (nextAt - now) / 1_000;
    return seconds > 0 ? `next in ${duration(seconds)}` : `next ${duration(-seconds)} late`;
  });
  if (lateCount === 0 && next === '') return null;
  return (
    <>
      {before}
      {lateCount > 0 && <Mark tone="bad">{`${lateCount} late`}</Mark>}
      {lateCount > 0 && next !== '' && ', '}
      {next}
    </>
  );
}

/** The same for each channel of a payer, with its name where there are several. */
function NeededByChannel({ channels }: Pick<PayerWork, 'channels'>) {
  const needed = channels.filter(isNeeded);
  return needed.map((one) => (
    <div key={one.channel}>
      <Needed of={[one]} before={channels.length > 1 ? `${wayOf(one)}: ` : ''} />
    </div>
  ));
}

const wayOf = ({ channel }: ChannelStats): string => (channel === 'manual_phone_call' ? 'Phone' : 'Portal');

/** How long ago something was, by the service's clock in milliseconds. */
export function Age({ since }: { readonly since: number }) {
  return <>{useByClock((now) => duration(Math.max(0, (now - since) / 1_000)))}</>;
}

/** Of those under way, how many are kept without a key pressed. */
const keptOf = ({ onCallCount, inPortalCount }: PayerWork): string[] => [
  ...(onCallCount > 0 ? [`${onCallCount} on a call`] : []),
  ...(inPortalCount > 0 ? [`${inPortalCount} in the portal`] : []),
];
