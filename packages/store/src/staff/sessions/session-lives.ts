import { type RawBuilder, sql } from 'kysely';

/** Minutes without use after which a session ends (45 CFR 164.312(a)(2)(iii), automatic logoff). */
const IDLE_MINUTES = 15;

/** Minutes for which a person's proof of who they are counts as fresh. */
const FRESH_MINUTES = 15;

/** Until when the person's proof of who they are counts as fresh; null when its time is unknown. */
export const freshUntil = sql<Date | null>`staff_session.proven_at + make_interval(mins => ${sql.lit(FRESH_MINUTES)})`;

/** Hours after which it ends, regardless of use. */
export const ABSOLUTE_HOURS = 12;

/** When a session ends without further use. A phone call counts as use until its request is handed in. */
export const idleEndsAt = sql<Date>`least(staff_session.expires_at, greatest(
  staff_session.used_at + make_interval(mins => ${sql.lit(IDLE_MINUTES)}),
  case when staff_session.on_call_until > now() and exists (
    select from verification_attempt as attempt where attempt.key_id = staff_session.staff_id
      and attempt.on_call_until is not null and attempt.ended_at is null
  ) then staff_session.on_call_until end))`;

/** Whether a session is still valid. By the database's clock, so the same in every process. */
export const sessionLives: RawBuilder<boolean> = sql<boolean>`(
  staff_session.ended_at is null and ${idleEndsAt} > now())`;
