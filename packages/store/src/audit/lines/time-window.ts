import { type RawBuilder, sql } from 'kysely';

/**
 * How far a line's time may lie outside of the seals around it. `at` is the start of its transaction, and none of the
 * service's lasts half a minute; clocks of servers that take over from each other differ by less than the rest.
 */
export const LATE_SECONDS = 60;
export const EARLY_SECONDS = 5;

const late = sql.raw(`interval '${LATE_SECONDS} seconds'`);
const early = sql.raw(`interval '${EARLY_SECONDS} seconds'`);

/**
 * Whether a line has a time at which it cannot have been written, as an SQL expression. Whoever writes lines could
 * choose it; that it stands between two seals they cannot choose.
 * @param settledAt up to when all lines are in the seals before its own; null is no bound.
 * @param sealedAt when its own was made.
 */
export const isMisdated = (
  at: RawBuilder<Date>,
  settledAt: RawBuilder<Date | null>,
  sealedAt: RawBuilder<Date>,
): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${at} < ${settledAt} - ${late} or ${at} > ${sealedAt} + ${early}, false)`;
