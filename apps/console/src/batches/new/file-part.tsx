import {
  BATCH_BYTES_MAX,
  BATCH_COLUMNS,
  BATCH_ROWS_MAX,
  type BatchColumn,
} from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import { download } from '../../look/download.ts';
import { Field } from '../../look/field.tsx';
import layoutCss from '../../look/layout.module.css';
import { Mark } from '../../look/mark.tsx';
import { FailureNotice, Notice } from '../../look/notice.tsx';
import { type Column, Table } from '../../look/table.tsx';
import { COLUMN_WORDS } from '../../words/batch-words.ts';
import css from './batch-form.module.css';
import { areCells, memberOf } from './judge-file.ts';
import type { ReadFile } from './read-file.ts';

/** Where a file is chosen or dropped, and the template of one. */
export function FileChooser({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const template = useMutation({
    mutationFn: () => api.batches.template.query(),
    onSuccess: ({ csv }) => download('batch-template.csv', 'text/csv', csv),
  });
  return (
    <section className={layoutCss.part}>
      <div
        className={css.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          const [file] = event.dataTransfer.files;
          if (!file) return;
          if (input.current) input.current.files = event.dataTransfer.files; // it shows the name
          onChoose(file);
        }}
      >
        <Field
          label="File of rows, .csv or .ndjson"
          htmlFor="batch-file"
          hint={
            <p className={css.hint}>
              Choose it, or drop it here. {BATCH_ROWS_MAX.toLocaleString('en-US')} rows and{' '}
              {BATCH_BYTES_MAX / 1_048_576} MiB at most. It is checked on this computer before anything is
              sent.
            </p>
          }
        >
          <input
            ref={input}
            id="batch-file"
            type="file"
            accept=".csv,.ndjson"
            // A file that was corrected and chosen again is a change, though its name is the same.
            onClick={(event) => (event.currentTarget.value = '')}
            onChange={({ currentTarget: { files } }) => files?.[0] && onChoose(files[0])}
          />
        </Field>
      </div>
      <div className={layoutCss.row}>
        <Button disabled={template.isPending} onClick={() => template.mutate()}>
          Download the template
        </Button>
        <span className={css.hint}>A CSV file with every column, to begin with.</span>
      </div>
      {template.error !== null && <FailureNotice error={template.error} />}
    </section>
  );
}

interface ColumnsPartProps {
  readonly file: File;
  /** Undefined while it is read. */
  readonly read: ReadFile | undefined;
}

/** What was read of a file: its size, its columns and its first rows; or why it cannot be sent. */
export function ColumnsPart({ file, read }: ColumnsPartProps) {
  if (!read)
    return (
      <p role="status" aria-busy="true">
        Reading {file.name} …
      </p>
    );
  const columns = columnsOf(read);
  return (
    <section className={layoutCss.part}>
      <h2>{file.name}</h2>
      {read.fault !== null && <Notice tone="bad">{read.fault}</Notice>}
      {read.rows.length > 0 && (
        <p role="status">
          {read.rows.length.toLocaleString('en-US')} {read.rows.length === 1 ? 'row' : 'rows'}
          {read.format === 'csv' && ` of ${read.header.length} columns`}, {sizeOf(file.size)}.
          {read.hasMark &&
            read.format === 'csv' &&
            ' It begins with a byte order mark, as Excel writes it, which does no harm.'}
        </p>
      )}
      {columns.length > 0 && (
        <Table
          caption="The columns of the file, and its first rows"
          items={columns}
          columns={COLUMNS}
          keyOf={(_, index) => index}
        />
      )}
      {read.format === 'csv' && read.header.length > 0 && read.columns === null && (
        <p className={css.hint}>Columns are read by their names, in any order. The template has them all.</p>
      )}
    </section>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** A column of a file, with its first cells. */
interface FileColumn {
  readonly name: string;
  /** Null where no column has this name. */
  readonly words: string | null;
  readonly cells: readonly string[];
}

const SHOWN_ROWS = 3;

function columnsOf({ format, header, columns, rows }: ReadFile): FileColumn[] {
  const first = rows.slice(0, SHOWN_ROWS);
  if (format === 'csv')
    return header.map((name, index) => ({
      name,
      words: columns?.[index] === null ? 'Ignored' : wordsOf(name.trim()),
      cells: first.map((row) => (areCells(row) ? (row[index] ?? '') : '')),
    }));
  const members = first.map((row) => (typeof row === 'string' ? memberOf(row) : undefined));
  return BATCH_COLUMNS.map((name) => ({
    name,
    words: COLUMN_WORDS[name],
    cells: members.map((member) => textAt(member, name)),
  })).filter(({ cells }) => cells.some((cell) => cell !== ''));
}

const wordsOf = (name: string): string | null =>
  Object.hasOwn(COLUMN_WORDS, name) ? COLUMN_WORDS[name as BatchColumn] : null;

/** The text of a member at a path; empty without one. */
function textAt(member: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((holder, key) => (holder as Record<string, unknown> | null | undefined)?.[key], member);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

/** A name that breaks after its dots. */
const Path = ({ name }: { readonly name: string }) =>
  name.split('.').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && '.'}
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const cellAt =
  (index: number) =>
  ({ cells }: FileColumn) =>
    cells[index] ?? '';

const COLUMNS: readonly Column<FileColumn>[] = [
  { head: 'Column', is: 'name', cell: ({ name }) => <Path name={name || 'Without a name'} /> },
  { head: 'Read as', is: 'words', cell: ({ words }) => words ?? <Mark tone="bad">Not known</Mark> },
  { head: 'Row 1', is: 'words', cell: cellAt(0) },
  { head: 'Row 2', is: 'words', from: 'middle', cell: cellAt(1) },
  { head: 'Row 3', is: 'words', from: 'laptop', cell: cellAt(2) },
];
