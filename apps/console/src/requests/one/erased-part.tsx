import type { ErasedBecause } from '@insurance-verification/schema';
import { Time } from '../../look/time/time.tsx';
import { ERASED } from '../../privacy/erasure-words.ts';
import css from './request.module.css';

interface ErasedPartProps {
  readonly at: string;
  readonly because: ErasedBecause;
}

/** In place of the data of an erased request. */
export function ErasedPart({ at, because }: ErasedPartProps) {
  return (
    <>
      <p>
        The data was erased on <Time at={at} />, {ERASED[because].because}.
      </p>
      <p className={css.quiet}>
        Nothing brings it back. What happened, and when, is still told; to ask the payer again, make a new
        request.
      </p>
    </>
  );
}
