import { setTimeout as wait } from 'node:timers/promises';
import type { RestClient } from '@insurance-verification/client';
import { CommandFailedError } from '../failure/failure.ts';

/** Milliseconds that the service has to record the receiver's 200. */
const NOTED_MS = 10_000;

const POLL_MS = 20;

/** Waits until the delivery is recorded: milliseconds, since the receiver has already answered. */
export async function untilDelivered(
  client: RestClient,
  requestId: string,
): Promise<{ state: string; deliveryStatus: string }> {
  const deadline = Date.now() + NOTED_MS;
  for (;;) {
    const { items } = await client.requests.deliveries({ request_id: requestId });
    const deliveryStatus = items.at(-1)?.status ?? 'none';
    const { state } = await client.requests.get({ request_id: requestId });
    if (state === 'complete' && deliveryStatus === 'delivered') return { state, deliveryStatus };
    if (Date.now() > deadline) {
      throw new CommandFailedError(
        `Expected state complete and its delivery delivered; came ${state} and ${deliveryStatus}.`,
      );
    }
    await wait(POLL_MS);
  }
}
