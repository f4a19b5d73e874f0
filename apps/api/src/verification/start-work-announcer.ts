import { announceWork, type Store } from '@insurance-verification/store';
import type { Config } from '../config/config.ts';
import { type Polling, startPolling } from '../queue/start-polling.ts';
import { createFailureLog, type Log } from '../telemetry/log.ts';

/** Milliseconds between two looks: a stream of requests is one look after the other, not one for each. */
const PAUSE_MS = 100;

interface AnnouncerOptions {
  readonly config: Pick<Config, 'payers'>;
  readonly store: Store;
  readonly wakeDelivery: () => void;
  readonly log: Log;
}

/**
 * Announces claimable work to the agents that subscribed to it, at the wake that follows a commit and at every poll.
 * Without subscriptions a wake is ignored, and a poll reads one index.
 */
export function startWorkAnnouncer({ config, store, wakeDelivery, log }: AnnouncerOptions): Polling {
  const { payers } = config;
  const nameOf = (payerId: string) => payers.byId(payerId)?.name ?? payerId;
  let hasSubscriptions = false;
  const cycle = async () => {
    const announcement = {
      routes: payers.routes,
      nameOf,
      channels: ['agent_web_portal', 'agent_phone_call'] as const,
    };
    const { subscriptionCount, eventCount } = await announceWork(store, announcement);
    hasSubscriptions = subscriptionCount > 0;
    if (eventCount > 0) wakeDelivery();
    return false;
  };
  const { wake, stop } = startPolling({
    cycle,
    pauseMs: () => PAUSE_MS,
    onFailure: createFailureLog(log, 'announcing work failed; the next poll tries again'),
  });
  return { wake: () => void (hasSubscriptions && wake()), stop };
}
