import type { BatchCounters } from '@insurance-verification/schema';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, type Outputs } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import { FormDialog } from '../../look/dialog.tsx';
import { FactList } from '../../look/fact-list.tsx';
import layoutCss from '../../look/layout.module.css';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { Mark } from '../../look/mark.tsx';
import { Notice } from '../../look/notice.tsx';
import { Page } from '../../look/page.tsx';
import { Time } from '../../look/time.tsx';
import { untilRead } from '../../session/query-client.ts';
import { useMe } from '../../session/use-me.ts';
import { batchWords, COUNTERS, MODES } from '../../words/batch-words.ts';
import css from './batch-page.module.css';
import { RejectedPart } from './rejected-part.tsx';
import { ResultsPart } from './results-part.tsx';
import { useSentFile } from './sent-file.ts';

type Batch = Outputs['batches']['get'];

/** The service counts the rows of a large batch in some tenths of a second; it asks for the same pauses. */
const pauseMs = ({ counters }: Batch): number => (counters.received > 10_000 ? 30_000 : 5_000);

/** `/batches/{batch_id}`: how far a batch is, its rejected rows and its results. */
export function BatchPage({ batchId }: { readonly batchId: string }) {
  const { data: me } = useMe();
  const [isCanceling, setIsCanceling] = useState(false);
  const sent = useSentFile(batchId);
  const batch = useQuery({
    queryKey: ['batches.get', batchId],
    queryFn: ({ signal }) => api.batches.get.query({ batch_id: batchId }, { signal }),
    refetchInterval: (query) => {
      const { data } = query.state;
      return data && data.state !== 'ended' ? pauseMs(data) : untilRead(query);
    },
  });
  const isOver = batch.data?.state === 'ended' || batch.data?.state === 'canceling';
  const mayCancel = batch.data !== undefined && !isOver && (me?.scopes.includes('requests') ?? false);
  return (
    <Page
      title={batch.data?.label ?? 'Batch'}
      id={{ of: 'batch', text: batchId }}
      actions={mayCancel && <Button onClick={() => setIsCanceling(true)}>Cancel the batch …</Button>}
    >
      <Loaded query={batch} what="batch" skeleton={<SkeletonRows count={10} />}>
        {(it) => (
          <>
            {sent?.wasThere && (
              <Notice tone="good">
                This file was sent before with the same settings, and made this batch. Nothing was sent twice.
              </Notice>
            )}
            <StateLine batch={it} />
            {it.waiting_for_payer?.map(({ payer, since, waiting }) => (
              <Notice key={payer} tone="warn">
                {payer} has not answered since <Time at={since} />: {waiting.toLocaleString('en-US')}{' '}
                {waiting === 1 ? 'row waits' : 'rows wait'} for it, and {waiting === 1 ? 'is' : 'are'} tried
                again.
              </Notice>
            ))}
            <Progress counters={it.counters} />
            {it.counters.rejected > 0 && (
              <RejectedPart batchId={batchId} rejectedCount={it.counters.rejected} sent={sent?.file} />
            )}
            <ResultsPart batch={it} />
          </>
        )}
      </Loaded>
      {isCanceling && <CancelDialog batchId={batchId} onClose={() => setIsCanceling(false)} />}
    </Page>
  );
}

function StateLine({ batch }: { readonly batch: Batch }) {
  const { state, mode, received_at: receivedAt, ended_at: endedAt } = batch;
  const { tone, word } = batchWords(batch);
  return (
    <>
      <p className={css.state}>
        <Mark tone={tone}>{word}</Mark>
        <span>Accepts: {MODES[mode].toLowerCase()}</span>
        <span>
          received <Time at={receivedAt} />
        </span>
        {endedAt !== null && (
          <span>
            ended <Time at={endedAt} />
          </span>
        )}
      </p>
      {state === 'incomplete' && (
        <Notice tone="warn">
          Its sender was cut off. Send the same file <Link href="/batches/new">again</Link> with the same
          settings within 24 hours: it continues where it stopped.
        </Notice>
      )}
    </>
  );
}

/** The rows that have ended in one way or another, as a bar, and where all rows are, in words. */
function Progress({ counters }: { readonly counters: BatchCounters }) {
  const { received, waiting, working, held } = counters;
  const done = received - waiting - working - held;
  const facts = Object.entries(COUNTERS).map(([name, words]) => {
    const count = counters[name as keyof typeof COUNTERS];
    return [words, count > 0 && count.toLocaleString('en-US')] as const;
  });
  return (
    <section className={layoutCss.part}>
      <h2>Progress</h2>
      <progress className={css.bar} max={Math.max(received, 1)} value={done} aria-labelledby="batch-done" />
      <p id="batch-done">
        {done.toLocaleString('en-US')} of {received.toLocaleString('en-US')}{' '}
        {received === 1 ? 'row is' : 'rows are'} done.
      </p>
      <FactList facts={facts} />
    </section>
  );
}

interface CancelDialogProps {
  readonly batchId: string;
  readonly onClose: () => void;
}

function CancelDialog({ batchId, onClose }: CancelDialogProps) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api.batches.cancel.mutate({ batch_id: batchId }),
    onSuccess: (batch) => {
      queries.setQueryData(['batches.get', batchId], batch);
      void queries.invalidateQueries({ queryKey: ['batches.list'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Cancel the batch"
      act="Cancel it"
      kind="danger"
      doing={cancel}
      onSubmit={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>
        Rows that wait are closed as withdrawn, which is delivered like any result. Rows that a verifier works
        on are finished. The batch takes no more rows.
      </p>
    </FormDialog>
  );
}
