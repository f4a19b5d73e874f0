import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../button.tsx';
import { Time } from '../time.tsx';
import { Unseen } from '../unseen.tsx';
import { Empty } from './empty.tsx';
import { Notice } from './notice.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Of the size of what comes, so that nothing moves. */
  readonly skeleton: ReactNode;
  /** What is missing, for `not found`. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a read brought, in each state that it can be in. Data that was good once stays while newer cannot be had. */
export function Loaded<Data>({ query, skeleton, what, children }: LoadedProps<Data>) {
  const { data, error, dataUpdatedAt, refetch, isFetching } = query;
  if (data === undefined && error === null)
    return (
      <div aria-busy="true">
        <Unseen>Loading …</Unseen>
        {skeleton}
      </div>
    );
  const failure = error === null ? null : failureOf(error);
  if (failure?.kind === 'forbidden')
    return (
      <Empty title="Your role does not show this">
        It needs {scopesText(failure.scopes)}. An administrator can give it to you.
      </Empty>
    );
  if (failure?.kind === 'not_found')
    return (
      <Empty title={`There is no such ${what}`}>
        The address may be mistyped, or it is another account’s.
      </Empty>
    );
  return (
    <>
      {failure && failure.kind !== 'signed_out' && (
        <Notice
          tone={failure.kind === 'offline' && data !== undefined ? 'warn' : 'bad'}
          action={
            <Button disabled={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        >
          {failure.sentence}
          {data !== undefined && (
            <>
              {' '}
              What you see is of <Time at={new Date(dataUpdatedAt).toISOString()} />.
            </>
          )}
          {failure.trace && (
            <>
              {' '}
              Trace <code>{failure.trace}</code>.
            </>
          )}
        </Notice>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function scopesText(scopes: readonly string[]): string {
  const words = scopes.map((scope) => `“${scope}”`);
  return words.length === 0 ? 'another role' : `a role with ${words.join(' or ')}`;
}
