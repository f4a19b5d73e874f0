import { Link } from 'wouter';
import type { Outputs } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Mark } from '../look/mark.tsx';
import { Slug } from '../look/table/slug.tsx';
import css from '../look/table/table.module.css';
import { IdCell, Table } from '../look/table/table.tsx';
import { Age, leftUntil, Time } from '../look/time/time.tsx';
import { CHANNELS, STATES } from '../words/request-words.ts';

interface RequestTableProps {
  readonly items: readonly Outputs['requests']['search']['items'][number][];
  /** Whether to show the column of the account. */
  readonly seesAll: boolean;
}

export function RequestTable({ items, seesAll }: RequestTableProps) {
  const saysWhen = items.some((request) => request.needed_by !== null);
  const columns = [
    'Received',
    'Request',
    ...(seesAll ? ['Account'] : []),
    'Payer',
    'State',
    'Channel',
    'Age',
    ...(saysWhen ? ['Needed'] : []),
    'Reason',
  ];
  return (
    <Table caption="Requests, newest first" columns={columns} numbers={['Age']}>
      {items.map((request) => (
        <tr key={request.request_id}>
          <td>
            <Time at={request.received_timestamp} />
          </td>
          <td>
            <IdCell>
              <Link href={`/requests/${request.request_id}`}>
                <code className={css.ending} title={request.request_id}>
                  {request.request_id}
                </code>
              </Link>
              <CopyButton text={request.request_id} name="the request id" />
            </IdCell>
          </td>
          {seesAll && (
            <td>
              <IdCell>
                {/* Its end tells accounts apart; whole ids of two kinds would leave no room for the rest. */}
                <code title={request.account_id}>…{request.account_id.slice(-6)}</code>
                <CopyButton text={request.account_id} name="the account id" />
              </IdCell>
            </td>
          )}
          <td>{request.payer}</td>
          <td>
            <Mark tone={STATES[request.state].tone}>{STATES[request.state].word}</Mark>
          </td>
          <td className={css.quiet}>
            {request.erased_at === null ? CHANNELS[request.channel] : 'Data erased'}
          </td>
          <td className={css.number}>
            <Age since={request.received_timestamp} />
          </td>
          {saysWhen && (
            <td>
              <Needed request={request} />
            </td>
          )}
          <td className={`${css.quiet} ${css.wide}`}>
            <Slug text={request.error_reason ?? ''} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Summary = RequestTableProps['items'][number];

/** The time left of what has no result yet, and whether it was met. */
export function Needed({ request }: { readonly request: Pick<Summary, 'needed_by' | 'overdue' | 'state'> }) {
  const { needed_by: by, overdue, state } = request;
  if (by === null) return null;
  if (state !== 'pending') return overdue ? <Mark tone="bad">Overdue</Mark> : 'In time';
  return overdue ? <Mark tone="bad">{leftUntil(by, serverNow())}</Mark> : leftUntil(by, serverNow());
}
