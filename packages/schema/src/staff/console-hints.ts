/** What may have changed: requests, the work queue, held outputs, deliveries; accounts, keys, people and sessions. */
export const HINTS = ['request', 'work', 'held', 'delivery', 'access'] as const;
/** One of {@link HINTS}. */
export type Hint = (typeof HINTS)[number];

/**
 * One event of `GET /console/events`: how many changes of each kind there were since the last one. It never says which:
 * a page reads again what it shows.
 */
export type ConsoleHints = Partial<Record<Hint, number>>;
