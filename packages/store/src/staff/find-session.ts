import { type RawBuilder, sql } from 'kysely';
import type { Session } from '../access/caller.ts';
import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import type { LiveKey } from '../access/find-api-key.ts';
import { isDatabaseUnavailable } from '../connection/is-database-unavailable.ts';
import { withoutFlush } from '../connection/role-settings.ts';
import type { Vault } from '../encryption/vault.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from '../known-answers/known-answers-account.ts';
import type { Store } from '../open-store.ts';
import { type Covered, coveredOf, type CoveredValues } from '../row-macs/covered-columns.ts';
import type { Quota } from '../tables/columns.ts';
import { scopesOfRoles } from './roles.ts';
import { maybeSecretToken } from './secret-token.ts';

/** A signed-in person as a caller: `keyId` is the person's id. */
export interface LivePerson extends LiveKey {
  readonly session: Session;
}

interface SessionSearch extends BrowserProof {
  /** The account that a person of the platform acts for; defaults to `default`. */
  readonly accountId: string | undefined;
  /** Whether this counts as use. A page that refreshes what is on screen does not keep a session alive. */
  readonly isUse: boolean;
}

type FoundSession =
  | { readonly kind: 'found'; readonly person: LivePerson }
  /** `ended`: by its person or an admin, by time, or it never existed. */
  | { readonly kind: 'ended' | 'account_not_found' };

/**
 * The session that a browser shows, as a caller. Looked up on every call and never cached, so that an ended session ends in
 * every process at once; on a separate connection, like keys.
 */
export async function findSession({ keyDb, vault }: Store, search: SessionSearch): Promise<FoundSession> {
  const { accountId, isUse } = search;
  const shown = sessionOf(vault, search);
  if (!shown) return { kind: 'ended' };
  const row = await keyDb
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
    .leftJoin('account', (join) =>
      join.on(
        'account.id',
        '=',
        sql<string>`coalesce(${accountId ?? null}, staff.account_id, ${DEFAULT_ACCOUNT_ID})`,
      ),
    )
    .select(['staff.name', 'account.id as account_id', 'account.name as account_name'])
    .select([idleEndsAt.as('idle_ends_at'), freshUntil.as('fresh_until')])
    .select(sql<boolean>`coalesce(${freshUntil} > now(), false)`.as('is_fresh'))
    .select(sql<boolean>`used_at < now() - interval '10 seconds'`.as('use_is_stale'))
    .select(
      sql<Record<string, Quota> | null>`(
        select jsonb_object_agg(policy, jsonb_build_object('quota', quota, 'windowSeconds', window_seconds))
        from account_limit where account_limit.account_id = account.id)`.as('quotas'),
    )
    .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
    .select(coveredOf('account').as('account'))
    .select(
      sql<readonly Covered[] | null>`(
        select jsonb_agg(${coveredOf('emergency_access')}) from emergency_access
        where session_id = staff_session.id and ends_at > now() and 'operator' = any (staff.roles))`.as(
        'emergencies',
      ),
    )
    .where('staff_session.hash', '=', shown.hash)
    .where('staff_session.origin_hash', '=', shown.origin_hash)
    .where('staff.ended_at', 'is', null)
    .where(sessionLives)
    .executeTakeFirst();
  if (!row) return { kind: 'ended' };
  const { macs } = vault;
  const session = macs.open('staff_session', row.session);
  const staff = macs.open('staff', row.staff);
  // Compared here as well: a view could answer with another's row, which is right too.
  if (!session?.hash.equals(shown.hash) || !session.origin_hash.equals(shown.origin_hash))
    return { kind: 'ended' };
  if (staff?.id !== session.staff_id) return { kind: 'ended' };
  if (row.account_id === null || row.account_name === null) return { kind: 'account_not_found' };
  // Nobody acts for it: a request that a person made there would be worked on, and never delivered.
  if (row.account_id === KNOWN_ANSWERS_ACCOUNT_ID) return { kind: 'account_not_found' };
  const account = macs.open('account', row.account);
  const isOwn = staff.account_id === account?.id;
  const asked = accountId ?? staff.account_id ?? DEFAULT_ACCOUNT_ID;
  if (account?.id !== asked || (staff.account_id !== null && !isOwn)) return { kind: 'account_not_found' };
  const emergencyEnds = (row.emergencies ?? [])
    .map((covered) => macs.open('emergency_access', covered))
    .filter((emergency) => emergency?.session_id === session.id)
    .map((emergency) => emergency?.ends_at.getTime() ?? 0);
  const emergencyUntil = emergencyEnds.length > 0 ? new Date(Math.max(...emergencyEnds)) : null;
  const usedUntil = isUse && row.use_is_stale ? await noteUse(keyDb, session.id) : null;
  const person: LivePerson = {
    keyId: staff.id,
    accountId: account.id,
    mode: account.mode,
    // In an emergency an operator acts as a verifier as well, and in no other role.
    ...scopesOfRoles(emergencyUntil ? [...staff.roles, 'verifier'] : staff.roles),
    expiresAt: session.expires_at,
    // A person of the platform is not locked out with their default account, which they could then not resume.
    suspended: account.suspended_at !== null && (isOwn || accountId !== undefined),
    allowedCidrs: [isOwn ? account.allowed_cidrs : null, staff.allowed_cidrs].filter(
      (cidrs) => cidrs !== null,
    ),
    // An emergency is on any account.
    ...(!emergencyUntil && staff.verify_within && { verifyWithin: staff.verify_within }),
    quotas: row.quotas ?? {},
    ...(session.link_by && { [session.way === 'link' ? 'linkBy' : 'enrolledBy']: session.link_by }),
    session: {
      sessionId: session.id,
      name: JSON.parse(row.name) as string,
      roles: staff.roles,
      accountName: JSON.parse(row.account_name) as string,
      maySwitch: staff.account_id === null,
      freshUntil: row.fresh_until,
      isFresh: row.is_fresh,
      emergencyUntil,
      idleEndsAt: usedUntil ?? row.idle_ends_at,
      endsAt: session.expires_at,
    },
  };
  return { kind: 'found', person };
}

/**
 * Failing to record the use does not refuse the session, as with a key. Recorded at most every ten seconds rather than
 * on every call.
 */
async function noteUse(db: Store['keyDb'], id: string): Promise<Date | null> {
  try {
    const { rows } = await sql<{ idle_ends_at: Date }>`
      update staff_session set used_at = now() where id = ${id}
      returning ${idleEndsAt} as idle_ends_at, ${withoutFlush}`.execute(db);
    return rows[0]?.idle_ends_at ?? null;
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    return null;
  }
}

/** The two secrets that a browser sends for its session. */
export interface BrowserProof {
  /** The cookie's token. A browser sends it to every port of the host, so another service there can read it. */
  readonly token: string;
  /** 256 bits in base64url that the pages of one origin (scheme, host and port) keep in their storage and send along. */
  readonly originSecret: string;
}

/** The keyed hash that a session keeps of its origin's secret. */
export const hashOfOrigin = (vault: Vault, originSecret: string): Buffer =>
  vault.index('staff_session.origin_hash', originSecret);

/** What the session of a cookie and origin secret has; null where either has no valid form. */
export function sessionOf(
  vault: Vault,
  { token, originSecret }: BrowserProof,
): Pick<CoveredValues<'staff_session'>, 'hash' | 'origin_hash'> | null {
  if (!maybeSecretToken(token) || !maybeSecretToken(originSecret)) return null;
  return {
    hash: vault.index('staff_session.hash', token),
    origin_hash: hashOfOrigin(vault, originSecret),
  };
}

/** Minutes without use after which a session ends (45 CFR 164.312(a)(2)(iii), automatic logoff). */
const IDLE_MINUTES = 15;

/** Minutes for which a person's proof of who they are counts as fresh. */
const FRESH_MINUTES = 15;

/** Until when the person's proof of who they are counts as fresh; null when its time is unknown. */
const freshUntil = sql<Date | null>`staff_session.proven_at + make_interval(mins => ${sql.lit(FRESH_MINUTES)})`;

/** Hours after which it ends, regardless of use. */
export const ABSOLUTE_HOURS = 12;

/** When a session ends without further use. A phone call counts as use until its request is submitted. */
export const idleEndsAt = sql<Date>`least(staff_session.expires_at, greatest(
  staff_session.used_at + make_interval(mins => ${sql.lit(IDLE_MINUTES)}),
  case when staff_session.on_call_until > now() and exists (
    select from verification_attempt as attempt where attempt.key_id = staff_session.staff_id
      and attempt.on_call_until is not null and attempt.ended_at is null
  ) then staff_session.on_call_until end))`;

/** Whether a session is still valid. By the database's clock, so the same in every process. */
export const sessionLives: RawBuilder<boolean> = sql<boolean>`(
  staff_session.ended_at is null and ${idleEndsAt} > now())`;

/** What the person of a live session may do at the moment. */
export type SessionStanding = Pick<LiveKey, 'scopes' | 'readScopes' | 'accountId'>;

/**
 * Those of the sessions that are live, with what their people may do: one statement for all that a process serves.
 * Asking is no use of them. Without those of people whose own account is suspended.
 */
export async function standingOfSessions(
  { keyDb, vault }: Store,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, SessionStanding>> {
  const rows = await keyDb
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
    .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
    .where('staff_session.id', 'in', sessionIds)
    .where('staff.ended_at', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from account where account.id = staff.account_id and account.suspended_at is not null)`,
    )
    .where(sessionLives)
    .execute();
  const standings = new Map<string, SessionStanding>();
  for (const row of rows) {
    const session = vault.macs.open('staff_session', row.session);
    const person = vault.macs.open('staff', row.staff);
    if (!session || person?.id !== session.staff_id) continue;
    const { roles, account_id: accountId } = person;
    standings.set(session.id, { ...scopesOfRoles(roles), accountId: accountId ?? DEFAULT_ACCOUNT_ID });
  }
  return standings;
}
