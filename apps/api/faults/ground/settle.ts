import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../test/rows.ts';
import type { Ground } from '../fault-row.ts';
import type { Load } from './start-load.ts';
import type { Receiver } from './start-receiver.ts';

export interface Books {
  readonly load: Pick<Load, 'requestIdByKey' | 'acceptedAt'>;
  readonly receiver: Receiver;
  readonly databaseUrl: string;
  /** The deadline of the last delivery, from now. A killed worker's leases last ten seconds. */
  readonly withinMs?: number;
  readonly mayRepeat: boolean;
  /** Requests created outside the load. */
  readonly strayCount?: number;
}

/** Compares every acknowledgement with the database and the arrivals. Returns milliseconds until the last arrival. */
export async function settle({ tally }: Ground, books: Books): Promise<number> {
  const { load, receiver, databaseUrl, withinMs = 60_000, mayRepeat, strayCount = 0 } = books;
  const startedAt = performance.now();
  const missing = () => [...load.acceptedAt.keys()].filter((id) => !receiver.requestIds.has(id));
  const pending = async () =>
    (await rows(databaseUrl, 'select 1 from delivery where done_at is null limit 1')).length;
  while ((missing().length > 0 || (await pending()) > 0) && performance.now() - startedAt < withinMs)
    await pause(50);
  const settledMs = performance.now() - startedAt;

  const acknowledged = [...load.requestIdByKey.values()];
  const stored = await rows<{ id: string }>(databaseUrl, 'select id from request');
  const storedIds = new Set(stored.map(({ id }) => id));
  const unstored = acknowledged.filter((id) => !storedIds.has(id));
  const undelivered = missing();
  const repeated = [...receiver.arrivals.values()].filter((arrivals) => arrivals.length > 1);
  tally.acknowledgedCount += acknowledged.length;
  tally.lostCount += unstored.length + undelivered.length;
  tally.duplicateCount += repeated.reduce((sum, arrivals) => sum + arrivals.length - 1, 0);
  tally.holds(
    unstored.length === 0,
    `${unstored.length} acknowledged requests are not stored: ${unstored[0]}`,
  );
  tally.holds(
    undelivered.length === 0,
    `${undelivered.length} accepted results did not arrive: ${undelivered[0]}`,
  );
  const surplus = stored.length - strayCount - new Set(acknowledged).size;
  tally.holds(surplus === 0, `there are ${surplus} rows more than idempotency keys`);
  tally.holds(mayRepeat || repeated.length === 0, `${repeated.length} webhooks came more than once`);
  tally.holds((await pending()) === 0, 'deliveries are left unfinished');
  return settledMs;
}
