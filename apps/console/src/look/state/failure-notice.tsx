import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure.ts';
import { Notice } from './notice.tsx';
import { Trace } from './trace.tsx';

interface FailureNoticeProps {
  readonly error: unknown;
  readonly action?: ReactNode;
}

/** A failed call as a sentence, with its trace id in the log. */
export function FailureNotice({ error, action }: FailureNoticeProps) {
  const { faults, sentence, trace } = failureOf(error);
  return (
    <Notice tone="bad" action={action}>
      {faults[0]?.msg ?? sentence}
      <Trace ids={trace === undefined ? [] : [trace]} />
    </Notice>
  );
}
