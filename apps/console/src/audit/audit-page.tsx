import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import * as z from 'zod';
import { api, type Outputs } from '../api/api.ts';
import { readFullPage } from '../api/read-full-page.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import type { Filter } from '../filters/filter.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { useKeptPlace } from '../look/page/use-place.ts';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { IdLink } from '../look/table/id-link.tsx';
import { Named } from '../look/table/named.tsx';
import { FIRST_PAGE, Pager, PLACE } from '../look/table/pager.tsx';
import { shortId } from '../look/table/short-id.tsx';
import css from '../look/table/table.module.css';
import { type Column, IdCell, Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Whole, WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time/time.tsx';
import { DID_CHOICES, didOf } from './did.ts';
import { ExportDialog } from './export-dialog.tsx';
import { Stopped } from './stopped.tsx';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  name: text(),
  key_id: text(),
  account_id: text(),
  operation: text(),
  request_id: text(),
  subject_id: text(),
  since: text(),
  until: text(),
  ...PLACE,
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<Exclude<keyof Filters, 'cursor' | 'page'>>[] = [
  { name: 'name', label: 'Who', hint: 'Part of a name', kind: 'search' },
  { name: 'operation', label: 'Did', choices: DID_CHOICES },
  { name: 'account_id', label: 'Request’s account', kind: 'account', rare: true },
  { name: 'request_id', label: 'Request', hint: 'req_…', rare: true },
  { name: 'key_id', label: 'Id of who', hint: 'stf_… or key_…', rare: true },
  { name: 'subject_id', label: 'Id of what', hint: 'acct_…, key_…, held_…', rare: true },
  { name: 'since', label: 'Since', kind: 'time', rare: true },
  { name: 'until', label: 'Before', kind: 'time', rare: true },
];

const LIMIT = 100;

/** `/audit`: the lines of the audit within the filters, newest first. */
export function AuditPage() {
  const [filters, change] = useQueryModel(Filters);
  const [isExporting, setIsExporting] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const { cursor, page, ...asked } = filters;
  const query = useQuery({
    queryKey: ['audit.list', filters],
    queryFn: ({ signal }) =>
      readFullPage(LIMIT, cursor, (part) => api.audit.list.query({ ...asked, ...part }, { signal })),
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
      filters={
        <FilterBar
          filters={FIELDS}
          values={asked}
          onChange={(changes) => change({ ...changes, ...FIRST_PAGE })}
        />
      }
    >
      {seals.data && seals.data.stopped !== null && <Stopped stopped={seals.data.stopped} />}
      {notice !== null && (
        <Notice tone="good" action={<Button onClick={() => setNotice(null)}>Close</Button>}>
          {notice}
        </Notice>
      )}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={14} />}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty
                title={next === null ? 'No line of the audit meets this' : 'None among the newest lines'}
              >
                {next === null
                  ? 'Every call that reads or changes something leaves one, with who made it. Clear a filter.'
                  : 'Few lines meet these filters. “Next page” continues the search.'}
              </Empty>
            ) : (
              <Table
                caption="The audit, newest first"
                items={items}
                columns={COLUMNS}
                keyOf={({ audit_id: id }) => id}
              />
            )}
            <Pager place={{ cursor, page }} next={next} count={items.length} onGo={change} />
          </>
        )}
      </Loaded>
      {isExporting && (
        <ExportDialog
          filters={asked}
          onClose={(sentence) => {
            setIsExporting(false);
            setNotice(sentence);
          }}
        />
      )}
    </Page>
  );
}

type Line = Outputs['audit']['list']['items'][number];

const COLUMNS: readonly Column<Line>[] = [
  {
    head: 'When',
    cell: ({ at, misdated }) => (
      <>
        <Time at={at} />
        {misdated && <Mark tone="bad">Not when it was written</Mark>}
      </>
    ),
  },
  {
    head: 'Who',
    is: 'words',
    cell: ({ key_id: id, name, address, link_by: linkBy, link_by_name: linkByName }) => (
      <>
        {id === null ? (
          'nobody known'
        ) : (
          <IdCell>
            <Link href={`/audit?key_id=${id}`}>
              {name === null ? <code title={id}>{shortId(id)}</code> : <WholeWords text={name} />}
            </Link>
            <CopyButton text={id} name="the id of who acted" />
          </IdCell>
        )}
        {linkBy !== null && (
          <p>
            signed in by a link of <Named id={linkBy} name={linkByName} />
          </p>
        )}
        {address !== null && (
          <p className={css.quiet}>
            from <Whole>{address}</Whole>
          </p>
        )}
      </>
    ),
  },
  {
    head: 'Their account',
    is: 'words',
    from: 'middle',
    cell: ({ account_id: id, account_name: name }) =>
      id !== null && <Named id={id} name={name ?? shortId(id)} />,
  },
  {
    head: 'Did',
    is: 'words',
    cell: (line) => (
      <>
        <span title={line.operation}>{didOf(line.operation)}</span>
        {line.emergency && <Mark tone="bad">Emergency access</Mark>}
        <DoneTo line={line} />
        {line.reason !== null && <p>{line.reason}</p>}
        {line.fresh_sign_in === false && <p>Without a fresh sign-in: the identity provider was down.</p>}
        {line.change !== null && (
          <p>
            <code>{line.change}</code>
          </p>
        )}
      </>
    ),
  },
  {
    head: 'Request’s account',
    is: 'words',
    from: 'middle',
    cell: ({ request_account_id: id, request_account_name: name, request_count: count }) =>
      id === null ? count > 1 && 'Several' : <Named id={id} name={name ?? shortId(id)} />,
  },
  {
    head: 'Request',
    from: 'middle',
    cell: ({ request_id: id, request_count: count }) =>
      id === null ? (
        count > 0 && `${count.toLocaleString('en-US')} requests`
      ) : (
        <IdLink id={id} href={`/audit?request_id=${id}`} />
      ),
  },
  {
    head: 'Outcome',
    cell: ({ outcome }) => (outcome === 'refused' ? <Mark tone="warn">Refused</Mark> : 'Done'),
  },
];

/** The account, key, person, session or held output that it was done to. */
function DoneTo({ line: { subject_id: id, subject_name: name } }: { readonly line: Line }) {
  if (id === null) return null;
  return (
    <p className={css.quiet}>
      to {name ?? <code title={id}>{shortId(id)}</code>}
      <CopyButton text={id} name="the id of what it was done to" />
    </p>
  );
}
