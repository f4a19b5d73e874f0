import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { failureOf } from '../api/failure.ts';
import { useKeyOf, useKeys } from '../keys/use-keys.ts';
import { Button } from '../look/button.tsx';
import { Empty, FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { Time } from '../look/time.tsx';
import { hasRememberedLease, useDesk } from './desk.ts';
import { useOwnDone, DoneRequest } from './done.tsx';
import { useOutbox } from './outbox.tsx';
import { leave, currentRun, takeNamed, takeNext } from './take-work.ts';
import { type MoveOn, Workbench } from './workbench.tsx';

/** Loads ahead what shows the outbox: when it is needed, the network may be down. */
const loadOutboxBar = (): void => void import('./outbox-bar.tsx').catch(() => undefined);

/** `/work/{request_id}`: the workbench of a request that this tab has leased, or the button that leases it. */
export function WorkbenchPage({ requestId }: { readonly requestId: string }) {
  const { jobs } = useDesk();
  const { results } = useOutbox();
  const [, go] = useLocation();
  const moveOn = useMutation({
    mutationFn: async () => {
      const taken = await takeNext(currentRun());
      go(taken === null ? '/work' : `/work/${taken}`);
    },
  });
  useEffect(loadOutboxBar, []);
  // Another page of the console: others get the request at once. A reload of this one takes it up again.
  useEffect(() => () => leave(requestId), [requestId]);
  const job = jobs[requestId];
  const isSubmitted = results.some((result) => result.requestId === requestId);
  if (job && !isSubmitted) return <Workbench requestId={requestId} job={job} moveOn={moveOn} />;
  if (isSubmitted || moveOn.submittedAt > 0) return <MovingOn moveOn={moveOn} />;
  return <NotHeld requestId={requestId} />;
}

function MovingOn({ moveOn }: { readonly moveOn: MoveOn }) {
  const keyOf = useKeyOf();
  const next = () => moveOn.mutate();
  useKeys({ next: moveOn.isPending ? undefined : next });
  return (
    <Page title="Work">
      {moveOn.error && <FailureNotice error={moveOn.error} />}
      <Empty title={moveOn.isPending ? 'Taking the next request …' : 'This one is done'}>
        <p>It is sent by itself, and is shown until it is accepted.</p>
        <p data-actions="">
          <Button kind="primary" shortcut={keyOf('next')} disabled={moveOn.isPending} onClick={next}>
            Next
          </Button>
        </p>
      </Empty>
      <p>
        <Link href="/work">Back to Work</Link>
      </p>
    </Page>
  );
}

const PLACES = { phone: 'on a call', portal: 'in the payer’s portal' };

function NotHeld({ requestId }: { readonly requestId: string }) {
  const take = useMutation({ mutationFn: () => takeNamed(requestId) });
  const failure = take.error ? failureOf(take.error) : undefined;
  const lease = failure?.lease;
  const tried = useRef(false);
  const { mutate } = take;
  useEffect(() => {
    if (tried.current || !hasRememberedLease(requestId)) return;
    tried.current = true;
    mutate();
  }, [requestId, mutate]);
  const done = useOwnDone().data?.items.find((one) => one.request_id === requestId);
  // What became a result, or was erased, is not to be taken again.
  const isOver = (done !== undefined && done.result_version !== null) || failure?.code === 'request_erased';
  return (
    <Page
      title="Work"
      heading={done && `${done.patient_initials ?? 'A patient'} at ${done.payer}`}
      {...(done && { id: { of: 'request', text: requestId } })}
    >
      {lease ? (
        <Notice tone="warn">
          {lease.holder_name ?? 'An agent or another program'} works on this request
          {lease.place !== null && `, ${PLACES[lease.place]}`}, until <Time at={lease.expires_at} /> unless it
          is renewed.
        </Notice>
      ) : (
        take.error && <FailureNotice error={take.error} />
      )}
      {done && <DoneRequest done={done} />}
      {!isOver && (
        <Empty title={take.isPending ? 'Taking the request …' : 'You do not hold this request'}>
          <p>
            Whoever works on a request holds it, so that nobody else does the same work. Take{' '}
            <code>{requestId}</code> if it waits for a person, or the next one from the list.
          </p>
          <p data-actions="">
            <Button disabled={take.isPending} onClick={() => take.mutate()}>
              Take it
            </Button>
          </p>
        </Empty>
      )}
      <p>
        <Link href="/work">Back to Work</Link>
      </p>
    </Page>
  );
}
