import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import * as z from 'zod';
import { api } from '../api/api.ts';
import { type Filter, FilterBar } from '../filters/filter-bar.tsx';
import { Button, CopyButton } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import { download } from '../look/download.ts';
import formCss from '../look/form.module.css';
import { IdLink, Named, shortId } from '../look/ids.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { useQueryModel } from '../look/query-model.ts';
import tableCss from '../look/table.module.css';
import { type Column, IdCell } from '../look/table.tsx';
import { TestMark } from '../look/test-mark.tsx';
import { shownText } from '../look/text/shown-text.ts';
import { WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { DID_CHOICES, didOf } from './did.ts';
import { type Line, LineDialog, subjectOf } from './line-dialog.tsx';
import { Stopped } from './seals-page.tsx';

const text = () => z.string().min(1).optional();
const Filters = z.object({
  name: text(),
  key_id: text(),
  account_id: text(),
  account_mode: z.enum(['live', 'test']).optional(),
  operation: text(),
  request_id: text(),
  subject_id: text(),
  since: text(),
  until: text(),
});
type Filters = z.infer<typeof Filters>;

const FIELDS: readonly Filter<keyof Filters>[] = [
  { name: 'name', label: 'Who', hint: 'Part of a name', kind: 'search' },
  { name: 'operation', label: 'Did', choices: DID_CHOICES },
  { name: 'account_id', label: 'Request’s account', kind: 'account', rare: true },
  {
    name: 'account_mode',
    label: 'Tests',
    none: 'Shown',
    choices: [
      ['live', 'Hidden'],
      ['test', 'Only these'],
    ],
    rare: true,
  },
  { name: 'request_id', label: 'Request', hint: 'req_…', rare: true },
  { name: 'key_id', label: 'Id of who', hint: 'stf_… or key_…', rare: true },
  { name: 'subject_id', label: 'Id of what', hint: 'acct_…, key_…, held_…', rare: true },
  { name: 'since', label: 'Since', kind: 'time', rare: true },
  { name: 'until', label: 'Before', kind: 'time', rare: true },
];

/** `/audit`: the lines of the audit within the filters, newest first. */
export function AuditPage() {
  const [filters, change] = useQueryModel(Filters);
  const [isExporting, setIsExporting] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const [shown, setShown] = useState<Line | null>(null);
  // Whether lines are still sealed at all, which a page of them does not show.
  const seals = useQuery({
    queryKey: ['audit.seals', 'stopped'],
    queryFn: ({ signal }) => api.audit.seals.query({ limit: 1 }, { signal }),
  });
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
          values={filters}
          onChange={(changes) => change(changes as Partial<Filters>)}
        />
      }
    >
      {seals.data && seals.data.stopped !== null && <Stopped stopped={seals.data.stopped} />}
      {notice !== null && (
        <Notice tone="good" action={<Button onClick={() => setNotice(null)}>Close</Button>}>
          {notice}
        </Notice>
      )}
      <PagedList
        operation="audit.list"
        asked={filters}
        read={(part, signal) => api.audit.list.query({ ...filters, ...part }, { signal })}
        limit={100}
        nouns={['line of the audit', 'lines of the audit']}
        columns={columnsOf(setShown)}
        keyOf={({ audit_id: id }) => id}
        isFiltered={Object.values(filters).some((value) => value !== undefined)}
        none={<Empty title="No lines yet">Each call that reads or changes something leaves one.</Empty>}
      />
      {shown && <LineDialog line={shown} onClose={() => setShown(null)} />}
      {isExporting && (
        <ExportDialog
          filters={filters}
          onClose={(sentence) => {
            setIsExporting(false);
            setNotice(sentence);
          }}
        />
      )}
    </Page>
  );
}

/** The columns, with a button in each row that shows the rest of its line. */
const columnsOf = (show: (line: Line) => void): readonly Column<Line>[] => [
  {
    head: 'When',
    cell: (line) => (
      <IdCell>
        <Time at={line.at} />
        <TestMark mode={line.account_mode} />
        {line.misdated && <Mark tone="bad">Not when it was written</Mark>}
        <Button className={tableCss.act} aria-label="More of this line" onClick={() => show(line)}>
          More
        </Button>
      </IdCell>
    ),
  },
  {
    head: 'Who',
    is: 'line',
    cell: ({ key_id: id, name }) =>
      id === null ? (
        'unknown'
      ) : (
        <IdCell>
          <Link href={`/audit?key_id=${id}`} title={shownText(name ?? id)}>
            {name === null ? <code>{shortId(id)}</code> : <WholeWords text={name} />}
          </Link>
          <CopyButton text={id} name="the id of who acted" />
        </IdCell>
      ),
  },
  {
    head: 'Their account',
    is: 'line',
    from: 'middle',
    cell: ({ account_id: id, account_name: name }) =>
      id !== null && <Named id={id} name={name ?? shortId(id)} />,
  },
  { head: 'Did', is: 'line', cell: (line) => <Did line={line} /> },
  {
    head: 'Request’s account',
    is: 'line',
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
    from: 'middle',
    cell: ({ outcome }) => (outcome === 'refused' ? <Mark tone="warn">Refused</Mark> : 'Done'),
  },
];

/** The act of a line, its object and its reason, marked where it had emergency access. */
function Did({ line }: { readonly line: Line }) {
  const act = [didOf(line.operation), subjectOf(line)].filter((part) => part !== null).join(' to ');
  const words = line.reason === null ? act : `${act}: ${line.reason}`;
  return (
    <span title={words}>
      {line.emergency && <Mark tone="bad">Emergency access</Mark>} <WholeWords text={words} />
    </span>
  );
}

/** The formats that the service writes. */
const FORMATS = {
  csv: { word: 'CSV, for a spreadsheet', ending: 'csv' },
  ndjson: { word: 'NDJSON, a line of JSON for each', ending: 'ndjson' },
} as const;
type Format = keyof typeof FORMATS;

/** The most lines that a page can hold in memory; `iv audit export` has no maximum. */
const LINE_COUNT_MAX = 10_000;

/** The most lines of one call. */
const PART_LINE_COUNT = 1_000;

interface ExportDialogProps {
  readonly filters: Omit<Exclude<Parameters<typeof api.audit.list.query>[0], void>, 'cursor' | 'limit'>;
  /** Called with a sentence about the result; null when the dialog was cancelled. */
  readonly onClose: (sentence: string | null) => void;
}

/** A dialog that exports the lines within the filters to a file. */
function ExportDialog({ filters, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>('csv');
  const [count, setCount] = useState(0);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const write = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const parts: string[] = [];
      let [lineCount, mediaType] = [0, ''];
      let cursor: string | undefined;
      do {
        const part = await api.audit.export.query(
          { ...filters, format, limit: PART_LINE_COUNT, cursor },
          { signal: leaving.current.signal },
        );
        parts.push(part.items.join(''));
        lineCount += part.items.length - (format === 'csv' && cursor === undefined ? 1 : 0);
        setCount(lineCount);
        mediaType = part.media_type;
        cursor = part.next_cursor ?? undefined;
      } while (cursor !== undefined && lineCount < LINE_COUNT_MAX);
      const name = `audit-${new Date().toISOString().slice(0, 10)}.${FORMATS[format].ending}`;
      download(name, mediaType, parts.join(''));
      const written = `${lineCount.toLocaleString('en-US')} ${lineCount === 1 ? 'line is' : 'lines are'} in ${name}.`;
      return cursor === undefined
        ? written
        : `${written} There are older ones: narrow the time, or use “iv audit export”.`;
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Export the audit"
      act="Write the file"
      doing={write}
      onSubmit={() => write.mutate()}
      onClose={() => onClose(null)}
    >
      <p>
        Every line that meets the filters, newest first, {LINE_COUNT_MAX.toLocaleString('en-US')} at most; of
        more than these <code>iv audit export</code> and <code>GET /audit/export</code> have all. That you
        read them is in the audit too.
      </p>
      <fieldset className={formCss.choices}>
        <legend>Format</legend>
        {(Object.keys(FORMATS) as Format[]).map((one) => (
          <label key={one}>
            <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
            {FORMATS[one].word}
          </label>
        ))}
      </fieldset>
      <p role="status">{write.isPending && `${count.toLocaleString('en-US')} lines read …`}</p>
    </FormDialog>
  );
}
