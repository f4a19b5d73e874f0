import type { RestClient } from '@insurance-verification/client';
import type { VerificationSource } from '@insurance-verification/schema';

/** How many requests wait for a verifier, kept up to date while they work. */
export interface WatchedQueue {
  /** Null while it is not known. */
  readonly waitingCount: () => number | null;
  readonly end: () => void;
}

interface Queue {
  readonly channels: readonly VerificationSource[];
  readonly payers?: readonly string[] | undefined;
}

/** Milliseconds between two looks: the count is for a person's eyes, and costs the service a count over what waits. */
const LOOK_MS = 30_000;

/** Counts what waits in these channels. A look that fails leaves the count as it was: it is no reason to stop anybody. */
export async function watchQueue(
  client: RestClient,
  { channels, payers }: Queue,
  signal: AbortSignal,
): Promise<WatchedQueue> {
  let count: number | null = null;
  const look = async () => {
    const { items } = await client.work.stats({ signal });
    const asked = items.filter(
      ({ channel, payer }) => channels.includes(channel) && (payers?.includes(payer) ?? true),
    );
    count = asked.reduce((sum, { waiting_count }) => sum + waiting_count, 0);
  };
  const lookOrLeave = () => look().catch(() => undefined);
  await lookOrLeave();
  const timer = setInterval(lookOrLeave, LOOK_MS);
  return { waitingCount: () => count, end: () => clearInterval(timer) };
}
