import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { failureOf } from '../api/failure.ts';
import { Button } from './button.tsx';
import { InDialog } from './dialog.tsx';
import layoutCss from './layout.module.css';
import css from './loaded.module.css';
import { Unseen } from './mark.tsx';
import { Empty, FailureNotice, NoPermission } from './notice.tsx';

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** A placeholder of the same size, so that nothing moves. */
  readonly skeleton: ReactNode;
  /** The noun for a 404, as in “There is no such request”. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows a query in each of its states: loading, failed, forbidden, not found, loaded. Data that was read once stays
 * while a later read fails.
 */
export function Loaded<Data>({ query, skeleton, what, children }: LoadedProps<Data>) {
  const { data, error, refetch, isFetching } = query;
  const isOnPage = !useContext(InDialog);
  const failure = error === null ? null : failureOf(error);
  if (failure?.kind === 'forbidden') return <NoPermission scopes={failure.scopes} />;
  if (failure?.kind === 'not_found')
    return (
      <Empty title={`There is no such ${what}`}>
        The address may be mistyped, or it is another account’s.
      </Empty>
    );
  // Without a session nothing is read until somebody has signed in again.
  if (data === undefined && (failure === null || failure.kind === 'signed_out'))
    return (
      <div aria-busy="true">
        <Unseen>Loading …</Unseen>
        {skeleton}
      </div>
    );
  return (
    <>
      {failure && failure.kind !== 'signed_out' && !isOnPage && (
        <FailureNotice
          error={error}
          action={
            <Button disabled={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        />
      )}
      {data === undefined ? isOnPage && <p className={layoutCss.quiet}>Not read.</p> : children(data)}
    </>
  );
}

/** Placeholder rows of the size of those that load. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={css.skeletonRow}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
