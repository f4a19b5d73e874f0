import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useCallback, useEffect, useSyncExternalStore } from 'react';
import { AGAIN_MS, type Failure, failureOf } from '../api/failure.ts';
import { outbox } from '../work/outbox.tsx';
import { Button } from './button.tsx';
import { Notice, Trace } from './notice.tsx';
import { duration, Time } from './time.tsx';
import { useByClock } from './use-now.ts';

interface LateProps {
  /** A placeholder of the same size, shown while the part loads. */
  readonly skeleton?: ReactNode;
  /** Wraps the message of a failed load, where it needs a page of its own. */
  readonly frame?: (message: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/**
 * Loads its content on demand. After an update the files have other names and the page must be loaded again; a failed
 * load, or an exception while rendering, is shown as a message and not as an empty screen.
 */
export class Late extends Component<LateProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { skeleton = null, frame = (message: ReactNode) => message, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={skeleton}>{children}</Suspense>;
    return frame(<NotLoaded />);
  }
}

/**
 * Loads the page again by itself once the service is back, where it was away; not where it answers, as after a fault of the
 * page, and not while a result waits in this tab.
 */
function NotLoaded() {
  useEffect(() => {
    let wasAway = false;
    const look = async () => {
      const isThere = await fetch('/livez').then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isThere) wasAway = true;
      else if (wasAway && outbox().results.length === 0) location.reload();
    };
    void look();
    const timer = setInterval(() => void look(), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice tone="bad" action={<Button onClick={() => location.reload()}>Load it again</Button>}>
      This part of the page failed to load. The service may have been updated or be unreachable.
    </Notice>
  );
}

/** The failures of the reads themselves; a 403 or 404 is shown in place of its content. */
const isReported = ({ kind }: Failure) => kind === 'offline' || kind === 'problem' || kind === 'invalid';

const isUnanswered = ({ state: { error } }: Query) => error !== null && isReported(failureOf(error));

/** The most trace ids that are shown; the log has the others next to them. */
const TRACE_COUNT_MAX = 3;

/** One message for all queries on screen whose last read failed. Their earlier data stays, and its age is shown. */
export function Unanswered() {
  const queries = useUnanswered();
  const client = useQueryClient();
  if (queries.length === 0) return null;
  const failures = queries.map(({ state }) => failureOf(state.error));
  const sentences = [...new Set(failures.map(({ sentence }) => sentence))];
  const traces = [...new Set(failures.flatMap(({ trace }) => trace ?? []))].slice(0, TRACE_COUNT_MAX);
  const readAt = queries.flatMap(({ state }) => (state.data === undefined ? [] : state.dataUpdatedAt));
  const isOffline = failures.every(({ kind }) => kind === 'offline');
  return (
    <Notice
      tone={isOffline && readAt.length > 0 ? 'warn' : 'bad'}
      action={
        <Button
          disabled={queries.some(({ state }) => state.fetchStatus === 'fetching')}
          onClick={() => void client.refetchQueries({ type: 'active', predicate: isUnanswered })}
        >
          Retry
        </Button>
      }
    >
      {sentences.join(' ')}
      {readAt.length > 0 && <Age at={Math.min(...readAt)} />}
      <Trace ids={traces} />
    </Notice>
  );
}

/** The age is updated on screen, and spoken once. */
function Age({ at }: { readonly at: number }) {
  const age = useByClock(() => duration(Math.max(0, (Date.now() - at) / 1_000)));
  return (
    <>
      {' '}
      Last updated <Time at={new Date(at).toISOString()} />
      <span aria-hidden="true">, {age} ago</span>.
    </>
  );
}

function useUnanswered(): readonly Query[] {
  const cache = useQueryClient().getQueryCache();
  const find = () => cache.findAll({ type: 'active', predicate: isUnanswered });
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  );
  // What changes the notice, as one value: the queries themselves are the same objects through all of it.
  const summary = () =>
    find()
      .map(({ queryHash, state }) =>
        [queryHash, state.fetchStatus, state.errorUpdatedAt, state.dataUpdatedAt].join(),
      )
      .join();
  useSyncExternalStore(subscribe, summary, summary);
  return find();
}
