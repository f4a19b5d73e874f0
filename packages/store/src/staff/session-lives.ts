import { type RawBuilder, sql } from 'kysely';

/** After these minutes without use a session is over (45 CFR 164.312(a)(2)(iii), automatic logoff). */
const IDLE_MINUTES = 15;

/** After these hours it is over, however much it is used. */
export const ABSOLUTE_HOURS = 12;

/** When a session that is used no more ends. */
export const idleEndsAt = sql<Date>`least(staff_session.expires_at,
  staff_session.used_at + make_interval(mins => ${sql.lit(IDLE_MINUTES)}))`;

/** Whether a session still speaks for its person. By the database's clock, in every process alike. */
export const sessionLives: RawBuilder<boolean> = sql<boolean>`(
  staff_session.ended_at is null and ${idleEndsAt} > now())`;
