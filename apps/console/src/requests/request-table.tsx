import type { Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { Mark } from '../look/mark.tsx';
import { IdLink } from '../look/table/id-link.tsx';
import { Named } from '../look/table/named.tsx';
import { Slug } from '../look/table/slug.tsx';
import css from '../look/table/table.module.css';
import { type Column, Table } from '../look/table/table.tsx';
import { Age, leftUntil, Time } from '../look/time/time.tsx';
import { CHANNELS, STATES } from '../words/request-words.ts';

type Summary = Outputs['requests']['search']['items'][number];

interface RequestTableProps {
  readonly items: readonly Summary[];
  /** Whether to show the column of the account. */
  readonly seesAll: boolean;
  readonly isOldestFirst: boolean;
  /** Turns the order of the list. */
  readonly onTurn: () => void;
}

export function RequestTable({ items, seesAll, isOldestFirst, onTurn }: RequestTableProps) {
  const saysWhen = items.some((request) => request.needed_by !== null);
  const columns: Column<Summary>[] = [
    {
      head: 'Request',
      cell: ({ request_id: id }) => <IdLink id={id} href={`/requests/${id}`} />,
    },
    { head: 'Received', from: 'middle', cell: (request) => <Time at={request.received_timestamp} /> },
    {
      head: 'Age',
      is: 'number',
      turn: { isOldestFirst, onTurn },
      cell: (request) => <Age since={request.received_timestamp} />,
    },
    ...(seesAll ? [{ head: 'Account', is: 'words', from: 'middle', cell: accountOf } as const] : []),
    { head: 'Payer', is: 'words', cell: ({ payer }) => payer },
    {
      head: 'State',
      cell: ({ state, erased_at: erasedAt }) => (
        <>
          <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark>
          {erasedAt !== null && <span className={css.quiet}> Data erased</span>}
        </>
      ),
    },
    {
      head: 'Channel',
      from: 'wide',
      cell: ({ channel, erased_at: erasedAt }) => (
        <span className={css.quiet}>{erasedAt === null && CHANNELS[channel]}</span>
      ),
    },
    ...(saysWhen
      ? [{ head: 'Needed', cell: (request: Summary) => <Needed request={request} /> } as const]
      : []),
    {
      head: 'Reason',
      is: 'words',
      from: 'middle',
      cell: ({ error_reason: reason }) => <Slug text={reason ?? ''} />,
    },
  ];
  return (
    <Table
      caption={`Requests, ${isOldestFirst ? 'oldest' : 'newest'} first`}
      items={items}
      columns={columns}
      keyOf={({ request_id: id }) => id}
      isTarget
    />
  );
}

const accountOf = ({ account_id: id, account_name: name }: Summary) => <Named id={id} name={name} />;

/** The time left of what has no result yet, and whether it was met. */
export function Needed({ request }: { readonly request: Pick<Summary, 'needed_by' | 'overdue' | 'state'> }) {
  const { needed_by: by, overdue, state } = request;
  if (by === null) return null;
  if (state !== 'pending') return overdue ? <Mark tone="bad">Overdue</Mark> : <>In time</>;
  const left = leftUntil(by, serverNow());
  return overdue ? <Mark tone="bad">{left}</Mark> : <>{left}</>;
}
