import type { RestClient } from '@insurance-verification/client';
import type { VerificationSource } from '@insurance-verification/schema';

/** The number of requests that wait for a verifier, kept up to date. */
export interface WatchedQueue {
  /** Counts now, for example right after a claim. */
  readonly look: () => Promise<void>;
  /** Null while unknown. */
  readonly waitingCount: () => number | null;
  readonly end: () => void;
}

interface Queue {
  readonly channels: readonly VerificationSource[];
  readonly payers?: readonly string[] | undefined;
}

/** Milliseconds between two counts: the number only informs a person, and counting the backlog costs the service. */
const LOOK_MS = 30_000;

/**
 * Counts the backlog of these channels and of those before them on a payer's route: such a request moves on to these
 * channels, or is claimed from them when nobody works the earlier ones. A failed count leaves the number unchanged: it
 * must not stop anybody's work.
 */
export function watchQueue(
  client: RestClient,
  { channels, payers }: Queue,
  signal: AbortSignal,
): WatchedQueue {
  let count: number | null = null;
  const recount = async () => {
    const { items } = await client.work.stats({ signal });
    // per payer, in route order
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
