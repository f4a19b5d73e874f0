import { type ClaimedDelivery, giveUpDelivery, setAside, type Store } from '@insurance-verification/store';
import type { Log } from '../../telemetry/log.ts';
import { lineOf } from './line-of.ts';

/**
 * Ends the claim of a row that cannot be sent: for good after too many claims, else until another worker may open it.
 */
export async function endUnsendable(store: Store, log: Log, claimed: ClaimedDelivery): Promise<void> {
  if (claimed.claimsExhausted) {
    await giveUpDelivery(store, claimed);
    log.error(lineOf(claimed), 'delivery given up: claimed too often without a finished attempt');
  } else {
    await setAside(store, claimed);
    log.error(lineOf(claimed), 'delivery unreadable: its sealed values do not open');
  }
}
