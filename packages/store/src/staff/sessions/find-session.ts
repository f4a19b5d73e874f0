import { sql } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import type { LiveKey } from '../../access/keys/find-api-key.ts';
import type { Session } from '../../access/session.ts';
import { isDatabaseUnavailable } from '../../connection/is-database-unavailable.ts';
import { withoutFlush } from '../../connection/without-flush.ts';
import type { Store } from '../../open-store.ts';
import { type Covered, coveredOf } from '../../row-macs/covered-columns.ts';
import type { Quota } from '../../tables/quota.ts';
import { scopesOfRoles } from '../people/scopes-of-roles.ts';
import { freshUntil, idleEndsAt, sessionLives } from './session-lives.ts';
import { type BrowserProof, sessionOf } from './session-of-browser.ts';

/** A signed-in person as a caller: `keyId` is the person's id. */
export interface LivePerson extends LiveKey {
  readonly session: Session;
}

export interface SessionSearch extends BrowserProof {
  /** The account that a person of the platform acts for; defaults to `default`. */
  readonly accountId: string | undefined;
  /** Whether this counts as use. A page that refreshes what is on screen does not keep a session alive. */
  readonly isUse: boolean;
}

export type FoundSession =
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
    .select([
      'staff_session.id',
      'staff.id as staff_id',
      'staff.name',
      'staff.roles',
      'staff_session.expires_at',
    ])
    .select(['account.id as account_id', 'account.name as account_name', 'account.mode'])
    .select(['account.suspended_at', 'account.allowed_cidrs as account_cidrs'])
    .select(['staff.allowed_cidrs', 'staff.verify_within'])
    .select('staff.account_id as own_account_id')
    .select([idleEndsAt.as('idle_ends_at'), freshUntil.as('fresh_until')])
    .select(sql<boolean>`coalesce(${freshUntil} > now(), false)`.as('is_fresh'))
    .select(sql<boolean>`used_at < now() - interval '10 seconds'`.as('use_is_stale'))
    .select(
      sql<Record<string, Quota> | null>`(
        select jsonb_object_agg(policy, jsonb_build_object('quota', quota, 'windowSeconds', window_seconds))
        from account_limit where account_limit.account_id = account.id)`.as('quotas'),
    )
    .select([coveredOf('staff_session').as('session_covered'), coveredOf('staff').as('staff_covered')])
    .select(coveredOf('account').as('account_covered'))
    .select(
      sql<readonly { readonly until: string; readonly covered: Covered }[] | null>`(
        select jsonb_agg(jsonb_build_object('until', ends_at, 'covered', ${coveredOf('emergency_access')}))
        from emergency_access
        where session_id = staff_session.id and ends_at > now() and 'operator' = any (staff.roles))`.as(
        'emergencies',
      ),
    )
    .where(shown)
    .where('staff.ended_at', 'is', null)
    .where(sessionLives)
    .executeTakeFirst();
  if (!row) return { kind: 'ended' };
  const { macs } = vault;
  if (!macs.verifies('staff_session', row.session_covered) || !macs.verifies('staff', row.staff_covered))
    return { kind: 'ended' };
  const isOwn = row.own_account_id === row.account_id;
  const { account_id, account_name, mode } = row;
  if (
    account_id === null ||
    account_name === null ||
    mode === null ||
    (row.own_account_id !== null && !isOwn) ||
    !macs.verifies('account', row.account_covered)
  )
    return { kind: 'account_not_found' };
  const emergencyEnds = (row.emergencies ?? [])
    .filter(({ covered }) => macs.verifies('emergency_access', covered))
    .map(({ until }) => Date.parse(until));
  const emergencyUntil = emergencyEnds.length > 0 ? new Date(Math.max(...emergencyEnds)) : null;
  const usedUntil = isUse && row.use_is_stale ? await noteUse(keyDb, row.id) : null;
  const person: LivePerson = {
    keyId: row.staff_id,
    accountId: account_id,
    mode,
    // In an emergency an operator acts as a verifier as well, and as nobody else.
    ...scopesOfRoles(emergencyUntil ? [...row.roles, 'verifier'] : row.roles),
    expiresAt: row.expires_at,
    // A person of the platform is not locked out with their default account, which they could then not resume.
    suspended: row.suspended_at !== null && (isOwn || accountId !== undefined),
    allowedCidrs: [isOwn ? row.account_cidrs : null, row.allowed_cidrs].filter((cidrs) => cidrs !== null),
    // An emergency is on any account.
    ...(!emergencyUntil && row.verify_within && { verifyWithin: row.verify_within }),
    quotas: row.quotas ?? {},
    session: {
      sessionId: row.id,
      name: JSON.parse(row.name) as string,
      roles: row.roles,
      accountName: JSON.parse(account_name) as string,
      maySwitch: row.own_account_id === null,
      freshUntil: row.fresh_until,
      isFresh: row.is_fresh,
      emergencyUntil,
      idleEndsAt: usedUntil ?? row.idle_ends_at,
      endsAt: row.expires_at,
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
