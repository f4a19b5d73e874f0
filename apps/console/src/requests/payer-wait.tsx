import type { PayerWait as Wait } from '@insurance-verification/schema';
import { Time } from '../look/time.tsx';

/** That a request waits for its payer, since when, and how long the payer is tried. */
export function PayerWait({ payer, wait }: { readonly payer: string; readonly wait: Wait }) {
  return (
    <>
      {payer} has not answered since <Time at={wait.since} />
      {wait.until !== null && (
        <>
          ; tried again until <Time at={wait.until} />
        </>
      )}
      .
    </>
  );
}
