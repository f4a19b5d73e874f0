import { setTimeout as sleep } from 'node:timers/promises';
import type { Receivers } from './start-receivers.ts';

/** All arrivals, once every expected webhook has arrived. */
export async function arrivalsOf(
  receivers: Receivers,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  for (;;) {
    const arrivals = await receivers.arrivals();
    if (ids.every((id) => arrivals.has(id))) return arrivals;
    await sleep(50);
  }
}
