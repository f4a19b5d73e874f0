import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { LateDialog } from '../look/dialog.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { useMe } from '../session/use-me.ts';
import { EndpointEvents, EndpointFacts } from './endpoint-parts.tsx';
import { addressOf, type Endpoint, eventsOf } from './endpoint-words.ts';
import { mayChangeEndpoints } from './endpoints-page.tsx';

const RecoverDialog = lazy(async () => ({ default: (await import('./recover-dialog.tsx')).RecoverDialog }));
const TypesDialog = lazy(async () => ({ default: (await import('./endpoint-dialogs.tsx')).TypesDialog }));
const RotateDialog = lazy(async () => ({ default: (await import('./endpoint-dialogs.tsx')).RotateDialog }));
const EndEndpointDialog = lazy(async () => ({
  default: (await import('./endpoint-dialogs.tsx')).EndEndpointDialog,
}));

/** `/endpoints/{endpoint_id}`: one endpoint, what can be done about it, and its events with their attempts. */
export function EndpointPage({ endpointId }: { readonly endpointId: string }) {
  const query = useQuery({
    queryKey: ['endpoints.get', endpointId],
    queryFn: ({ signal }) => api.endpoints.get.query({ endpoint_id: endpointId }, { signal }),
    refetchInterval: 15_000,
  });
  const { data: me } = useMe();
  const acts = useEndpointActs(endpointId);
  const mayChange = mayChangeEndpoints(me?.scopes);
  const mayRotate = me?.scopes.includes('secrets') ?? false;
  const endpoint = query.data;
  return (
    <Page
      title={endpoint ? addressOf(endpoint) : 'Endpoint'}
      id={{ of: 'endpoint', text: endpointId }}
      actions={
        endpoint && (
          <>
            {mayChange && <ChangeButtons endpoint={endpoint} acts={acts} />}
            {mayRotate && <Button onClick={() => acts.open('rotate')}>Rotate its secret …</Button>}
            {mayChange && <Button onClick={() => acts.open('end')}>End …</Button>}
          </>
        )
      }
    >
      {acts.error !== null && <FailureNotice error={acts.error} />}
      {acts.notice !== null && (
        <Notice tone="good" action={<Button onClick={() => acts.say(null)}>Close</Button>}>
          {acts.notice}
        </Notice>
      )}
      <Loaded query={query} what="endpoint" skeleton={<SkeletonRows count={6} />}>
        {(found) => (
          <>
            {mayChange && <MissedNotice endpoint={found} acts={acts} />}
            <EndpointFacts endpoint={found} />
            <EndpointEvents endpointId={endpointId} />
            <LateDialogs endpoint={found} acts={acts} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Opened = 'recover' | 'types' | 'rotate' | 'end';

/** The actions of an endpoint: their calls, the dialog that is open, and the sentence once one is done. */
function useEndpointActs(endpointId: string) {
  const queries = useQueryClient();
  const [opened, open] = useState<Opened | null>(null);
  const [notice, say] = useState<string | null>(null);
  const readAgain = async () => {
    for (const name of ['endpoints.get', 'endpoints.list', 'deliveries.list'])
      await queries.invalidateQueries({ queryKey: [name] });
  };
  const done = async (sentence: string) => {
    say(sentence);
    await readAgain();
  };
  const test = useMutation({
    mutationFn: () => api.endpoints.test.mutate({ endpoint_id: endpointId }),
    onSuccess: () => done('A test is on its way: it shows below, with its attempts.'),
  });
  const turn = useMutation({
    mutationFn: (enabled: boolean) => api.endpoints.update.mutate({ endpoint_id: endpointId, enabled }),
    onSuccess: (_, enabled) =>
      done(enabled ? 'It takes events from now on.' : 'It gets no more events until it is turned on.'),
  });
  const recover = useMutation({
    mutationFn: () => api.endpoints.recover.mutate({ endpoint_id: endpointId }),
    onSuccess: ({ recovered_count: count }) =>
      done(`${eventsOf(count)} ${count === 1 ? 'is' : 'are'} on the way.`),
  });
  return {
    opened,
    open,
    notice,
    say,
    done,
    readAgain,
    test: () => test.mutate(),
    turn: (enabled: boolean) => turn.mutate(enabled),
    recover: () => recover.mutate(),
    isPending: test.isPending || turn.isPending || recover.isPending,
    error: test.error ?? turn.error ?? recover.error,
  };
}

interface OfEndpointProps {
  readonly endpoint: Endpoint;
  readonly acts: ReturnType<typeof useEndpointActs>;
}

function ChangeButtons({ endpoint, acts }: OfEndpointProps) {
  const isOff = endpoint.disabled_at !== null;
  return (
    <>
      {isOff ? (
        <Button kind="primary" disabled={acts.isPending} onClick={() => acts.turn(true)}>
          Turn on
        </Button>
      ) : (
        <>
          <Button kind="primary" disabled={acts.isPending} onClick={acts.test}>
            Test
          </Button>
          <Button onClick={() => acts.open('recover')}>Recover since …</Button>
        </>
      )}
      <Button onClick={() => acts.open('types')}>Change its events …</Button>
      {!isOff && (
        <Button disabled={acts.isPending} onClick={() => acts.turn(false)}>
          Turn off
        </Button>
      )}
    </>
  );
}

/** Offers what an endpoint missed while it was off, once it is on again. */
function MissedNotice({ endpoint, acts }: OfEndpointProps) {
  const { missed_count: missed, disabled_at: off } = endpoint;
  if (missed === 0 || off !== null) return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button disabled={acts.isPending} onClick={acts.recover}>
          {missed === 1 ? 'Post it' : 'Post these'}
        </Button>
      }
    >
      It missed {eventsOf(missed)} while it was off.
    </Notice>
  );
}

/** The dialog that is open. */
function LateDialogs({ endpoint, acts }: OfEndpointProps) {
  const [, go] = useLocation();
  const close = () => acts.open(null);
  const changed = () => {
    close();
    void acts.readAgain();
  };
  if (acts.opened === null) return null;
  return (
    <LateDialog onClose={close}>
      {acts.opened === 'recover' && (
        <RecoverDialog
          endpoint={endpoint}
          onClose={(sentence) => {
            close();
            if (sentence !== null) void acts.done(sentence);
          }}
        />
      )}
      {acts.opened === 'types' && <TypesDialog endpoint={endpoint} onClose={changed} />}
      {acts.opened === 'rotate' && <RotateDialog endpoint={endpoint} onClose={close} />}
      {acts.opened === 'end' && (
        <EndEndpointDialog
          endpoint={endpoint}
          onEnded={() => {
            void acts.readAgain();
            go('/endpoints', { replace: true });
          }}
          onClose={close}
        />
      )}
    </LateDialog>
  );
}
