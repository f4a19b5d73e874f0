import type { BatchMode } from '@insurance-verification/schema';
import { useState } from 'react';
import { Button } from '../../look/button.tsx';
import layoutCss from '../../look/layout.module.css';
import { Mark } from '../../look/mark.tsx';
import { Notice } from '../../look/notice.tsx';
import { type Column, Table } from '../../look/table.tsx';
import { COLUMN_WORDS, DOUBTS, memberWords } from '../../words/batch-words.ts';
import css from './batch-form.module.css';
import type { ColumnDoubt, JudgedFile, RowFault } from './judge-file.ts';

interface RowsPartProps {
  readonly rowCount: number;
  /** Undefined while they are judged. */
  readonly judged: JudgedFile | undefined;
  readonly mode: BatchMode;
}

/** Faults that show before somebody asks for more. */
const SHOWN_FIRST = 10;

/** What is wrong in the rows of a file, and what a spreadsheet seems to have done to them. */
export function RowsPart({ rowCount, judged, mode }: RowsPartProps) {
  const [showsAll, setShowsAll] = useState(false);
  const faults = judged?.faults ?? [];
  const shown = showsAll ? faults : faults.slice(0, SHOWN_FIRST);
  return (
    <section className={layoutCss.part}>
      <h2>What was found</h2>
      <div role="status">
        {judged ? (
          <Summary rowCount={rowCount} rejectedCount={judged.rejectedCount} mode={mode} />
        ) : (
          'Checking the rows …'
        )}
      </div>
      {faults.some(lacksCallback) && (
        <p>Rows without a callback address need the one above: type it there, and they are checked again.</p>
      )}
      {judged && judged.doubts.length > 0 && <Doubts doubts={judged.doubts} />}
      {shown.length > 0 && (
        <Table
          caption="Faults, in the order of the rows"
          items={shown}
          columns={COLUMNS}
          keyOf={(_, index) => index}
        />
      )}
      {shown.length < faults.length && (
        <div>
          <Button onClick={() => setShowsAll(true)}>Show the first {count(faults.length)} faults</Button>
        </div>
      )}
    </section>
  );
}

const lacksCallback = ({ loc, type }: RowFault): boolean => loc[1] === 'callback_url' && type === 'missing';

const count = (number: number): string => number.toLocaleString('en-US');

interface SummaryProps {
  readonly rowCount: number;
  readonly rejectedCount: number;
  readonly mode: BatchMode;
}

function Summary({ rowCount, rejectedCount, mode }: SummaryProps) {
  if (rejectedCount === 0) return <Mark tone="good">No faults were found.</Mark>;
  const of = `${count(rejectedCount)} of ${count(rowCount)} rows ${rejectedCount === 1 ? 'has' : 'have'} faults.`;
  const isNoneAccepted = mode === 'all_or_nothing' || rejectedCount === rowCount;
  return (
    <p>
      <Mark tone={isNoneAccepted ? 'bad' : 'warn'}>{of}</Mark>{' '}
      {isNoneAccepted
        ? 'None would be accepted: correct them in the file, and choose it again.'
        : 'They would be rejected, and the others accepted. Correct them in the file first, or send them later.'}
    </p>
  );
}

function Doubts({ doubts }: { readonly doubts: readonly ColumnDoubt[] }) {
  return (
    <Notice tone="warn">
      A spreadsheet may have changed some values. Nothing is changed here: correct them in the file.
      <ul className={css.doubts}>
        {doubts.map(({ column, doubt, count: found, rows }) => (
          <li key={`${column} ${doubt}`}>
            {COLUMN_WORDS[column]} in {count(found)} {found === 1 ? 'row' : 'rows'} (
            {rows.map(count).join(', ')}
            {found > rows.length && ' …'}): {DOUBTS[doubt]}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const COLUMNS: readonly Column<RowFault>[] = [
  { head: 'Row', cell: ({ row }) => count(row) },
  { head: 'Reference', is: 'words', from: 'middle', cell: ({ reference }) => reference ?? '' },
  { head: 'Where', is: 'words', cell: ({ loc }) => memberWords(loc) },
  {
    head: 'What is wrong',
    is: 'words',
    cell: ({ msg, note }) => (note === undefined ? msg : `${msg}. ${note}`),
  },
];
