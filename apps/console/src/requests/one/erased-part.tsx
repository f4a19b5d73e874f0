import { Time } from '../../look/time/time.tsx';
import css from './request.module.css';

/** In place of the data of an erased request. */
export function ErasedPart({ at }: { readonly at: string }) {
  return (
    <>
      <p>
        The data was erased on <Time at={at} />, when its retention was over.
      </p>
      <p className={css.quiet}>
        Nothing brings it back. What happened, and when, is still told; to ask the payer again, make a new
        request.
      </p>
    </>
  );
}
