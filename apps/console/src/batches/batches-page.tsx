import { Link, useLocation } from 'wouter';
import { api, type Outputs } from '../api/api.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Mark } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, IdCell } from '../look/table.tsx';
import { shownText } from '../look/text/shown-text.ts';
import { WholeWords } from '../look/text/whole-words.tsx';
import { Time } from '../look/time.tsx';
import { OwnTestMark } from '../session/own-test-mark.tsx';
import { useMe } from '../session/use-me.ts';
import { batchWords } from '../words/batch-words.ts';

/** `/batches`: the batches of the person's account, newest first. */
export function BatchesPage() {
  const [, go] = useLocation();
  const mayCreate = useMe().data?.scopes.includes('requests') ?? false;
  return (
    <Page
      title="Batches"
      actions={mayCreate && <Button onClick={() => go('/batches/new')}>New batch</Button>}
    >
      <PagedList
        operation="batches.list"
        read={(part, signal) => api.batches.list.query(part, { signal })}
        isLive
        nouns={['batch', 'batches']}
        columns={COLUMNS}
        keyOf={({ batch_id: id }) => id}
        isTarget
        none={
          <Empty title="No batches yet">
            A file of many requests, sent here or to <code>POST /batches</code>, shows at once.
          </Empty>
        }
      />
    </Page>
  );
}

type Summary = Outputs['batches']['list']['items'][number];

const count = (number: number): string => number.toLocaleString('en-US');

const COLUMNS: readonly Column<Summary>[] = [
  {
    head: 'Name',
    is: 'line',
    cell: ({ batch_id: id, label }) => (
      <IdCell>
        <Link href={`/batches/${id}`} title={shownText(label ?? id)}>
          <WholeWords text={label ?? 'Without a name'} />
        </Link>
        <OwnTestMark />
        <CopyButton text={id} name="the batch id" />
      </IdCell>
    ),
  },
  {
    head: 'State',
    cell: (batch) => {
      const { tone, word } = batchWords(batch);
      return <Mark tone={tone}>{word}</Mark>;
    },
  },
  { head: 'Rows', is: 'number', cell: ({ counters }) => count(counters.received) },
  { head: 'Answered', is: 'number', cell: ({ counters }) => count(counters.answered) },
  { head: 'Could not verify', is: 'number', from: 'laptop', cell: ({ counters }) => count(counters.failed) },
  { head: 'Rejected', is: 'number', from: 'middle', cell: ({ counters }) => count(counters.rejected) },
  { head: 'Received', from: 'middle', cell: ({ received_at: at }) => <Time at={at} /> },
];
