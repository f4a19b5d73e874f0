import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Outputs } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import { download } from '../../look/download.ts';
import layoutCss from '../../look/layout.module.css';
import { FailureNotice } from '../../look/notice.tsx';
import { PagedList } from '../../look/paged-list.tsx';
import type { Column } from '../../look/table.tsx';
import { memberWords } from '../../words/batch-words.ts';
import { readAllPages, readPage } from './read-pages.ts';

interface RejectedPartProps {
  readonly batchId: string;
  readonly rejectedCount: number;
  /** The file that was sent, where this browser has it. */
  readonly sent: File | undefined;
}

/** The faults of the rejected rows, and these rows as a file: the service keeps none of them. */
export function RejectedPart({ batchId, rejectedCount, sent }: RejectedPartProps) {
  return (
    <section className={layoutCss.part}>
      <h2>Rejected rows</h2>
      {sent ? <RejectedFile batchId={batchId} sent={sent} /> : <WithoutFile />}
      <PagedList
        operation="batches.errors"
        // Rows are rejected while the file comes.
        asked={[batchId, rejectedCount]}
        read={(part, signal) =>
          readPage(part, (page) => api.batches.errors.query({ batch_id: batchId, ...page }, { signal }))
        }
        limit={20}
        place="here"
        inOrder="in the order of the rows"
        nouns={['fault', 'faults']}
        columns={COLUMNS}
        keyOf={({ row, loc }) => `${row} ${loc.join('.')}`}
        none={<p>The faults are kept for 30 days.</p>}
      />
    </section>
  );
}

const WithoutFile = () => (
  <p className={layoutCss.hint}>
    The service keeps no rejected row. To get them as a file, send the same file{' '}
    <Link href="/batches/new">again</Link> with the same settings: no row is sent twice.
  </p>
);

interface RejectedFileProps {
  readonly batchId: string;
  readonly sent: File;
}

function RejectedFile({ batchId, sent }: RejectedFileProps) {
  const write = useMutation({
    mutationFn: async () => {
      const { signal } = new AbortController();
      // The parser of CSV comes only where somebody wants the file.
      const [{ readFile }, { rejectedName, rejectedRows }] = await Promise.all([
        import('../new/read-file.ts'),
        import('../new/rejected-file.ts'),
      ]);
      const faults: Outputs['batches']['errors']['items'][number][] = [];
      await readAllPages(
        (page) => api.batches.errors.query({ batch_id: batchId, ...page }, { signal }),
        (items) => faults.push(...items),
      );
      const read = await readFile(sent, signal);
      if (read.fault !== null) throw new Error('The file cannot be read any more.');
      download(rejectedName(sent, read), 'text/plain', rejectedRows(read, faults));
    },
  });
  return (
    <>
      <div className={layoutCss.row}>
        <Button disabled={write.isPending} onClick={() => write.mutate()}>
          Download the rejected rows
        </Button>
        <span className={layoutCss.hint}>
          Your own rows, with <em>row</em> and <em>error</em> in front. Remove both before you send them
          again.
        </span>
      </div>
      {write.error !== null && <FailureNotice error={write.error} />}
    </>
  );
}

type Fault = Outputs['batches']['errors']['items'][number];

const COLUMNS: readonly Column<Fault>[] = [
  { head: 'Row', cell: ({ row }) => row.toLocaleString('en-US') },
  { head: 'Reference', is: 'words', from: 'middle', cell: ({ reference }) => reference ?? '' },
  { head: 'Where', is: 'words', cell: ({ loc }) => memberWords(loc) },
  { head: 'What is wrong', is: 'words', cell: ({ msg }) => msg },
];
