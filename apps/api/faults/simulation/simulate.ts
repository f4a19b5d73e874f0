import type { SimulatedDelivery } from './simulated-delivery.ts';
import { SimulatedRequest } from './simulated-request.ts';
import { SimulatedWorker } from './simulated-worker.ts';
import { World } from './world.ts';

/** The longest round takes 75.5 hours, each wait at most a day by Retry-After; nothing may take this long. */
const DAYS_MAX = 120;

/** A seed whose workers die every ten seconds causes some 100,000 events in the days of one round. */
const EVENTS_MAX = 2_000_000;

/** Simulates a few deliveries on a virtual clock; returns what did not hold. */
export function simulate(seed: number, say?: (line: string) => void): readonly string[] {
  const world = new World<SimulatedDelivery>(seed, say);
  const { events, random } = world;
  const workers = Array.from({ length: 1 + Math.floor(random() * 3) }, () => new SimulatedWorker(world));
  const requests = Array.from(
    { length: 1 + Math.floor(random() * 3) },
    (_, index) => new SimulatedRequest(world, `r${index + 1}`),
  );
  const anyWorker = () => workers[Math.floor(random() * workers.length)];
  const act = (what: () => void) => () => {
    what();
    for (const worker of workers) worker.wake();
  };
  for (const request of requests) {
    events.after(
      random() * 60,
      act(() => request.accept()),
    );
    if (random() < 0.3)
      events.after(
        random() * 100 * 3600,
        act(() => request.accept()),
      );
    if (random() < 0.4)
      events.after(
        random() * 300 * 3600,
        act(() => request.redeliver()),
      );
  }
  // Faults come while something is in progress: close to the acceptance, or after the clock has moved on.
  const trouble = () => {
    const kind = random();
    if (kind < 0.5) anyWorker()?.crash();
    else if (kind < 0.8) anyWorker()?.pause(random() * 40);
    else anyWorker()?.drain();
    if (world.deliveries.some((delivery) => delivery.dueAt() !== null))
      events.after(random() * 20 * spread, trouble);
  };
  const spread = 1 + random() * 200;
  if (!world.isCalm) events.after(random() * 90, trouble);

  let eventCount = 0;
  while (stepOrBreak(world)) {
    eventCount += 1;
    if (world.broken.length > 0) return world.broken;
    if (events.now > DAYS_MAX * 86_400 || eventCount > EVENTS_MAX) {
      world.holds(
        false,
        `after ${eventCount} events and ${Math.round(events.now / 86_400)} days it has not ended`,
      );
      return world.broken;
    }
  }
  for (const request of requests) request.checkEnd();
  return world.broken;
}

/** An exception breaks its seed only. */
function stepOrBreak(world: World<SimulatedDelivery>): boolean {
  try {
    return world.events.step();
  } catch (err) {
    world.holds(false, String(err));
    return true;
  }
}
