import { Counter, Gauge, type Registry } from 'prom-client';
import type { KeptSeat } from './keep-seat.ts';

/** What the supervisor tells of each seat. */
export function measureSeats(registry: Registry, seats: readonly KeptSeat[]): void {
  const serving = new Gauge({
    name: 'ivs_worker_serving',
    help: 'Whether the worker can be called: 1, or 0 while it is started again.',
    labelNames: ['worker'],
    registers: [],
    collect() {
      for (const [index, seat] of seats.entries())
        this.set({ worker: index + 1 }, Number(seat.worker().isServing()));
    },
  });
  const deaths = new Counter({
    name: 'ivs_worker_deaths_total',
    help: 'Times that the worker ended unasked, or could not start.',
    labelNames: ['worker'],
    registers: [],
    collect() {
      this.reset();
      for (const [index, seat] of seats.entries()) this.inc({ worker: index + 1 }, seat.endCount());
    },
  });
  registry.registerMetric(serving);
  registry.registerMetric(deaths);
}
