import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/api.ts';
import { NextTry } from '../deliveries/next-try.tsx';
import { RedeliverDialog } from '../deliveries/redeliver-dialog.tsx';
import { Button } from '../look/button/button.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Field, TextInput } from '../look/form/field.tsx';
import { fromTyped } from '../look/form/typed-time.ts';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { Notice } from '../look/state/notice.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Age } from '../look/time/time.tsx';
import { useZone } from '../look/time/zone.ts';
import { type FoundReceiver, shareOf, useReceivers, waitingOf } from './receivers-page.tsx';
import css from './receivers.module.css';

/** `/receivers/{host}`: one callback host: what waits for it, a try at once, and what was given up since a time. */
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
            <Facts receiver={found} />
          ) : (
            <Empty title="Nothing was sent to it in the last day">
              And nothing waits for it. <Link href="/receivers">All receivers</Link>
            </Empty>
          );
        }}
      </Loaded>
      <Redeliver host={host} onNotice={setNotice} />
    </Page>
  );
}

function Facts({ receiver }: { readonly receiver: FoundReceiver }) {
  const { host, taken_count: taken, failed_count: failed } = receiver;
  return (
    <FactList
      facts={[
        ['Last 24 hours', `${taken} of ${taken + failed} attempts taken (${shareOf(receiver)})`],
        ['Waiting', waitingOf(receiver)],
        [
          'Last attempt',
          <span key="last">
            <Age since={receiver.last_attempt_at} /> ago
          </span>,
        ],
        [
          'Next try',
          receiver.next_try_at && (
            <NextTry key="next" at={receiver.next_try_at} leftAloneSince={receiver.left_alone_since} />
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

interface RedeliverProps {
  readonly host: string;
  readonly onNotice: (sentence: string) => void;
}

/** Sends what was given up since a time again, after it is counted. */
function Redeliver({ host, onNotice }: RedeliverProps) {
  const { zone } = useZone();
  const [typed, setTyped] = useState('');
  const [since, setSince] = useState<string | null>(null);
  return (
    <form
      className={css.again}
      onSubmit={(event) => {
        event.preventDefault();
        setSince(fromTyped(typed, zone) || null);
      }}
    >
      <Field label="Given up, of results accepted since" htmlFor="since">
        <TextInput
          id="since"
          type="datetime-local"
          required
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit">Deliver these again …</Button>
      {since !== null && (
        <RedeliverDialog
          filters={{ host, since }}
          onClose={(count) => {
            setSince(null);
            if (count !== null)
              onNotice(`${count === 1 ? '1 delivery is' : `${count} deliveries are`} on the way again.`);
          }}
        />
      )}
    </form>
  );
}
