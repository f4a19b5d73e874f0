import { type RawBuilder, sql } from 'kysely';

/** Minutes without use after which a session ends (45 CFR 164.312(a)(2)(iii), automatic logoff). */
const IDLE_MINUTES = 15;

/** Hours after which it ends, regardless of use. */
export const ABSOLUTE_HOURS = 12;

/** When a session ends without further use. */
export const idleEndsAt = sql<Date>`least(staff_session.expires_at,
  staff_session.used_at + make_interval(mins => ${sql.lit(IDLE_MINUTES)}))`;

/** Whether a session is still valid. By the database's clock, so the same in every process. */
export const sessionLives: RawBuilder<boolean> = sql<boolean>`(
  staff_session.ended_at is null and ${idleEndsAt} > now())`;
