import type { RestClient } from '@insurance-verification/client';
import type { VerificationSource } from '@insurance-verification/schema';

/** How many requests wait for a verifier, kept up to date while they work. */
export interface WatchedQueue {
  /** Looks now, as when a request has just been taken out of it. */
  readonly look: () => Promise<void>;
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

/**
 * Counts what waits for these channels: in them, and in those before them on a payer's route, from which a request
 * comes on to them, or is taken where nobody works those. A look that fails leaves the count as it was: it is no reason
 * to stop anybody.
 */
export function watchQueue(
  client: RestClient,
  { channels, payers }: Queue,
  signal: AbortSignal,
): WatchedQueue {
  let count: number | null = null;
  const recount = async () => {
    const { items } = await client.work.stats({ signal });
    // By payer, in the order of its route.
    const lastOf = new Map(
      items.flatMap(({ payer, channel }, index) => (channels.includes(channel) ? [[payer, index]] : [])),
    );
    const asked = items.filter(
      ({ payer }, index) => index <= (lastOf.get(payer) ?? -1) && (payers?.includes(payer) ?? true),
    );
    count = asked.reduce((sum, { waiting_count }) => sum + waiting_count, 0);
  };
  const look = () => recount().catch(() => undefined);
  const timer = setInterval(() => void look(), LOOK_MS);
  return { look, waitingCount: () => count, end: () => clearInterval(timer) };
}
