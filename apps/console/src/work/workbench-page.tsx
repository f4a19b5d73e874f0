import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button } from '../look/button/button.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { hasRememberedLease } from './desk/remembered-lease.ts';
import { takeNamed } from './desk/take-work.ts';
import { useDesk } from './desk/use-desk.ts';
import { Outgoing } from './outgoing.tsx';
import { Workbench } from './workbench.tsx';

/** `/work/{request_id}`: the workbench of a request that this tab has leased, or the button that leases it. */
export function WorkbenchPage({ requestId }: { readonly requestId: string }) {
  const { jobs, leaving } = useDesk();
  const job = jobs[requestId];
  if (job && leaving?.requestId !== requestId) return <Workbench requestId={requestId} job={job} />;
  return <NotHeld requestId={requestId} isLeaving={leaving?.requestId === requestId} />;
}

function NotHeld({ requestId, isLeaving }: { readonly requestId: string; readonly isLeaving: boolean }) {
  const take = useMutation({ mutationFn: () => takeNamed(requestId) });
  const tried = useRef(false);
  const { mutate } = take;
  useEffect(() => {
    if (tried.current || !hasRememberedLease(requestId) || isLeaving) return;
    tried.current = true;
    mutate();
  }, [requestId, isLeaving, mutate]);
  return (
    <Page title="Work">
      <Outgoing here={requestId} />
      {take.error && <FailureNotice error={take.error} />}
      {!isLeaving && (
        <Empty title={take.isPending ? 'Taking the request …' : 'You do not hold this request'}>
          <p>
            Whoever works on a request holds it, so that nobody else does the same work. Take{' '}
            <code>{requestId}</code> if it waits for a person, or the next one from the list.
          </p>
          <p>
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
