import { BATCH_RESULT_COLUMNS, BatchRowOutcome } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import { type CsvCell, download, toCsv } from '../../look/download.ts';
import { Field, Select } from '../../look/field.tsx';
import { IdLink } from '../../look/ids.tsx';
import layoutCss from '../../look/layout.module.css';
import { Mark } from '../../look/mark.tsx';
import { FailureNotice } from '../../look/notice.tsx';
import { PagedList } from '../../look/paged-list.tsx';
import type { Column } from '../../look/table.tsx';
import { ROW_OUTCOMES, rowWords } from '../../words/batch-words.ts';
import css from './batch-page.module.css';
import { readAllPages, readPage } from './read-pages.ts';

type Batch = Outputs['batches']['get'];
type Result = Outputs['batches']['results']['items'][number];

/** The accepted rows with what is known of each, and all of them as a file. */
export function ResultsPart({ batch }: { readonly batch: Batch }) {
  const { batch_id: id, state, counters } = batch;
  const [outcome, setOutcome] = useState<BatchRowOutcome>();
  // Each read is in the audit, so that the list is not read with every count.
  const [readCount, setReadCount] = useState(0);
  return (
    <section className={layoutCss.part}>
      <h2>Results</h2>
      <div className={css.filter}>
        <div>
          <Field label="Outcome" htmlFor="batch-outcome">
            <Select
              id="batch-outcome"
              value={outcome ?? ''}
              onChange={({ target: { value } }) => setOutcome(BatchRowOutcome.safeParse(value).data)}
            >
              <option value="">All</option>
              {BatchRowOutcome.options.map((one) => (
                <option key={one} value={one}>
                  {one === 'not_answered' ? 'Waiting, or not stated' : ROW_OUTCOMES[one].word}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {state !== 'ended' && <Button onClick={() => setReadCount(readCount + 1)}>Read again</Button>}
        {counters.received > counters.rejected && <ResultsFile batchId={id} outcome={outcome} />}
      </div>
      <PagedList
        key={outcome}
        operation="batches.results"
        asked={[id, outcome, state, readCount]}
        read={(part, signal) =>
          readPage(part, (page) => api.batches.results.query({ batch_id: id, outcome, ...page }, { signal }))
        }
        limit={50}
        place="here"
        inOrder="in the order of the rows"
        nouns={['row', 'rows']}
        columns={COLUMNS}
        keyOf={({ row }) => row}
        isFiltered={outcome !== undefined}
        none={<p>No row was accepted.</p>}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Result>[] = [
  { head: 'Row', cell: ({ row }) => row.toLocaleString('en-US') },
  { head: 'Reference', is: 'words', cell: ({ reference }) => reference ?? '' },
  {
    head: 'Outcome',
    is: 'words',
    cell: (row) => {
      const { tone, word } = rowWords(row);
      return <Mark tone={tone}>{word}</Mark>;
    },
  },
  {
    head: 'Request',
    cell: ({ request_id: id }) => id !== null && <IdLink id={id} href={`/requests/${id}`} />,
  },
];

interface ResultsFileProps {
  readonly batchId: string;
  readonly outcome: BatchRowOutcome | undefined;
}

/** Writes the rows within the filter as a CSV file, page by page. */
function ResultsFile({ batchId, outcome }: ResultsFileProps) {
  const [count, setCount] = useState(0);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const write = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      setCount(0);
      const rows: CsvCell[][] = [];
      await readAllPages(
        (page) => api.batches.results.query({ batch_id: batchId, outcome, ...page }, { signal }),
        (items) => {
          for (const item of items)
            rows.push(Object.values(BATCH_RESULT_COLUMNS).map((read) => read(item) ?? null));
          setCount(rows.length);
        },
      );
      download(`${batchId}.results.csv`, 'text/csv', toCsv(Object.keys(BATCH_RESULT_COLUMNS), rows));
    },
  });
  return (
    <>
      <Button disabled={write.isPending} onClick={() => write.mutate()}>
        Download as CSV
      </Button>
      <span role="status" className={layoutCss.hint}>
        {write.isPending && `${count.toLocaleString('en-US')} rows read …`}
      </span>
      {write.error !== null && !leaving.current?.signal.aborted && <FailureNotice error={write.error} />}
    </>
  );
}
