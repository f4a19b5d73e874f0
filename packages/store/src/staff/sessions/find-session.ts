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
    // In an emergency an operator acts as a verifier as well, and as nobody else.
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
