import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Empty, FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { Time } from '../look/time.tsx';
import {
  type FoundReceiver,
  LastAnswer,
  RedeliverGivenUp,
  shareOf,
  useReceivers,
  waitingOf,
} from './receivers-page.tsx';
import { NextTry } from './redeliver.tsx';

/** `/receivers/{host}`: one callback host: what waits for it, a try at once, and what was given up. */
export function ReceiverPage({ host }: { readonly host: string }) {
  const query = useReceivers();
  const queries = useQueryClient();
  const [notice, setNotice] = useState<string | null>(null);
  const attempt = useMutation({
    mutationFn: () => api.receivers.tryNow.mutate({ host }),
    onSuccess: ({ tried }) => {
      setNotice(
        tried === 0
          ? 'Nothing waits for it, so there is nothing to try.'
          : 'One delivery is sent now. If it is taken, what is due follows.',
      );
      void queries.invalidateQueries({ queryKey: ['receivers.list'] });
    },
  });
  return (
    <Page
      title={host}
      actions={
        <Button kind="primary" disabled={attempt.isPending} onClick={() => attempt.mutate()}>
          Try now
        </Button>
      }
    >
      {attempt.error && <FailureNotice error={attempt.error} />}
      {notice !== null && (
        <Notice tone="good" action={<Button onClick={() => setNotice(null)}>Close</Button>}>
          {notice}
        </Notice>
      )}
      <Loaded query={query} what="receiver" skeleton={<SkeletonRows count={6} />}>
        {({ items }) => {
          const found = items.find((one) => one.host === host);
          return found ? (
            <>
              <Facts receiver={found} />
              {found.given_up_count > 0 && (
                <div>
                  <RedeliverGivenUp host={host} count={found.given_up_count} onSent={setNotice} />
                </div>
              )}
            </>
          ) : (
            <Empty title="Nothing was sent to it in the last day">
              And nothing waits for it. <Link href="/receivers">All receivers</Link>
            </Empty>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Facts({ receiver }: { readonly receiver: FoundReceiver }) {
  const { host, taken_count: taken, failed_count: failed } = receiver;
  return (
    <FactList
      facts={[
        ['Given up', receiver.given_up_count || null],
        [
          'Last 24 hours',
          taken + failed > 0 &&
            `${taken} of ${taken + failed === 1 ? '1 attempt' : `${taken + failed} attempts`} accepted (${shareOf(receiver)})`,
        ],
        ['Waiting', waitingOf(receiver)],
        ['Last answer', <LastAnswer key="last" receiver={receiver} />],
        [
          'Endpoint fails since',
          receiver.endpoint_failing_since && <Time key="failing" at={receiver.endpoint_failing_since} />,
        ],
        [
          'Next try',
          receiver.next_try_at && (
            <NextTry key="next" at={receiver.next_try_at} pausedSince={receiver.paused_since} />
          ),
        ],
        [
          'Deliveries',
          <Link key="deliveries" href={`/deliveries?host=${encodeURIComponent(host ?? '')}`}>
            All deliveries to it
          </Link>,
        ],
      ]}
    />
  );
}
