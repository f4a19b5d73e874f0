import type { Outputs } from '../api/api.ts';
import { Mark } from '../look/mark.tsx';
import css from '../look/table/table.module.css';
import { type Column, Table } from '../look/table/table.tsx';
import { duration } from '../look/time/time.tsx';
import own from './work.module.css';

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

interface PayersWork {
  /** Of whom something waits; the oldest first. */
  readonly waiting: readonly PayerWork[];
  readonly resting: readonly PayerWork[];
}

/** The channels of each payer's route as one row for people. */
export function byPayer(items: readonly ChannelStats[]): PayersWork {
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
  return { waiting: waiting.toSorted((one, other) => other.oldestSeconds - one.oldestSeconds), resting };
}

interface PayerTableProps extends PayersWork {
  /** Takes the next request of a payer; undefined while one is taken. */
  readonly onTake: ((payer: string) => void) | undefined;
}

/** A row for each payer of whom something waits, which takes its next request; the others share a line. */
export function PayerTable({ waiting, resting, onTake }: PayerTableProps) {
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
      {resting.length > 0 && (
        <p className={css.quiet}>
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
