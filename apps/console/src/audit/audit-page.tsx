import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { readFullPage } from '../api/read-full-page.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { type Filter, FilterForm } from '../look/form/filter-form.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { ShortId, shortId } from '../look/table/short-id.tsx';
import { IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time/time.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Stopped } from './stopped.tsx';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  key_id: text(),
  account_id: text(),
  operation: text(),
  request_id: text(),
  subject_id: text(),
  since: text(),
  until: text(),
  cursor: text(),
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'cursor'>>[] = [
  { name: 'key_id', label: 'Who', hint: 'stf_… or key_…' },
  { name: 'operation', label: 'Operation', hint: 'requests.get' },
  { name: 'request_id', label: 'Request', hint: 'req_…' },
  { name: 'subject_id', label: 'Done to', hint: 'acct_…, key_…, held_…' },
  { name: 'account_id', label: 'Account', hint: 'acct_…', rare: true },
  { name: 'since', label: 'Since', kind: 'time', rare: true },
  { name: 'until', label: 'Before', kind: 'time', rare: true },
];

const LIMIT = 100;

/** `/audit`: the lines of the audit within the filters, newest first. */
export function AuditPage() {
  const [filters, change] = useQueryModel(Filters);
  const [isExporting, setIsExporting] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const { cursor, ...asked } = filters;
  const query = useQuery({
    queryKey: ['audit.list', filters],
    queryFn: ({ signal }) =>
      readFullPage(LIMIT, cursor, (page) => api.audit.list.query({ ...asked, ...page }, { signal })),
    placeholderData: keepPreviousData,
  });
  // Whether lines are still sealed at all, which a page of them does not show.
  const seals = useQuery({
    queryKey: ['audit.seals', 'stopped'],
    queryFn: ({ signal }) => api.audit.seals.query({ limit: 1 }, { signal }),
  });
  useKeptPlace(query.data !== undefined);
  return (
    <Page
      title="Audit"
      actions={
        <>
          <Link href="/audit/seals">Seals and Verify</Link>
          <Button onClick={() => setIsExporting(true)}>Export …</Button>
        </>
      }
    >
      {seals.data && seals.data.stopped !== null && <Stopped stopped={seals.data.stopped} />}
      {told !== null && (
        <Notice tone="good" action={<Button onClick={() => setTold(null)}>Close</Button>}>
          {told}
        </Notice>
      )}
      <FilterForm
        filters={FIELDS}
        values={asked}
        onChange={(values) => change({ ...values, cursor: undefined })}
      />
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={14} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty
                title={next === null ? 'No line of the audit meets this' : 'None among the newest lines'}
              >
                {next === null
                  ? 'Every call that reads or changes something leaves one, with who made it. Take a filter away.'
                  : 'Few lines meet these filters. “Older” looks on.'}
              </Empty>
            ) : (
              <Table
                caption="The audit, newest first"
                columns={['When', 'Who', 'Operation', 'Request', 'Done to', 'Account']}
              >
                {items.map((line) => (
                  <tr key={line.audit_id}>
                    <td>
                      <Time at={line.at} />
                      {line.misdated && <Mark tone="bad">Not when it was written</Mark>}
                    </td>
                    <td>
                      {line.key_id === null ? (
                        'nobody known'
                      ) : (
                        <NarrowingId id={line.key_id} filter="key_id" of="id of who acted" />
                      )}
                      {line.name !== null && <p>{line.name}</p>}
                      {line.address !== null && <p>from {line.address}</p>}
                    </td>
                    <td>
                      {line.operation}
                      {line.outcome === 'refused' && <Mark tone="warn">Refused</Mark>}
                      {line.emergency && <Mark tone="bad">Emergency access</Mark>}
                      {line.reason !== null && <p>{line.reason}</p>}
                      {line.fresh_sign_in === false && (
                        <p>Without a fresh sign-in: the identity provider was down.</p>
                      )}
                      {line.change !== null && (
                        <p>
                          <code>{line.change}</code>
                        </p>
                      )}
                    </td>
                    <td>
                      {line.request_id !== null && (
                        <NarrowingId id={line.request_id} filter="request_id" of="request id" />
                      )}
                    </td>
                    <td>
                      {line.subject_id !== null && (
                        <ShortId id={line.subject_id} of="id of what it was done to" />
                      )}
                    </td>
                    <td>{line.account_id !== null && <ShortId id={line.account_id} of="account id" />}</td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
      {isExporting && (
        <ExportDialog
          filters={asked}
          onClose={(sentence) => {
            setIsExporting(false);
            setTold(sentence);
          }}
        />
      )}
    </Page>
  );
}

interface NarrowingIdProps {
  readonly id: string;
  readonly filter: 'key_id' | 'request_id';
  readonly of: string;
}

/** An id of a line; a click filters the list by it. */
function NarrowingId({ id, filter, of }: NarrowingIdProps) {
  return (
    <IdCell>
      <Link href={`/audit?${filter}=${id}`}>
        <code title={id}>{shortId(id)}</code>
      </Link>
      <CopyButton text={id} name={`the ${of}`} />
    </IdCell>
  );
}
