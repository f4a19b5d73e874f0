import type { StaffSessionList } from '@insurance-verification/schema';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { DEFAULT_ACCOUNT_ID } from '../access/ensure-accounts.ts';
import { within } from '../access/reach.ts';
import { recordAccess, type SignInWay } from '../access/record-access.ts';
import { othersThan } from '../access/two-people.ts';
import type { Vault } from '../encryption/vault.ts';
import { issueId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import { coveredOf } from '../row-macs/covered-columns.ts';
import { insertRow, readNow } from '../row-macs/covered-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { ABSOLUTE_HOURS, hashOfOrigin, idleEndsAt, sessionLives } from './find-session.ts';
import { createSecretToken } from './secret-token.ts';

interface NewSession {
  readonly staffId: string;
  /** The person's own account; null for the platform's. */
  readonly accountId: string | null;
  readonly way: SignInWay;
  /** Whose link signs the person in, or gave them the passkey or identity that does. */
  readonly linkBy: readonly string[] | null;
  /** Whether an invitation is used up by it, with the passkey made just now: its line of the audit says whose. */
  readonly isInvited?: true;
  /** When the person proved who they are, at most now, by default just now; null when the provider does not say. */
  readonly provenAt?: Date | null;
  /** The secret of the browser's pages: see `BrowserProof`. */
  readonly originSecret: string;
  /** The browser and system, in words; null when unknown. */
  readonly device: string | null;
  /** The client's address; null when unknown. */
  readonly address: string | null;
  /** The provider, and its own session if it names one. */
  readonly provider?: { readonly issuer: string; readonly sid: string | null };
}

/** Begins a session, always with a new token: the cookie's, which is only in this answer and never stored. */
export async function beginSession(
  trx: Transaction<Tables>,
  vault: Vault,
  {
    staffId,
    accountId,
    way,
    linkBy: madeBy,
    isInvited,
    provenAt,
    originSecret,
    device,
    address,
    provider,
  }: NewSession,
): Promise<string> {
  const token = createSecretToken();
  const id = issueId('ses');
  const now = await readNow(trx);
  const linkBy = othersThan(staffId, madeBy);
  await insertRow({ db: trx, vault }, 'staff_session', {
    id,
    staff_id: staffId,
    hash: vault.index('staff_session.hash', token),
    origin_hash: hashOfOrigin(vault, originSecret),
    expires_at: new Date(now.getTime() + ABSOLUTE_HOURS * 3_600_000),
    created_at: now,
    ended_at: null,
    way,
    link_by: linkBy,
    // A provider's clock may be a little ahead: no proof is fresh for longer than from now.
    proven_at: provenAt && provenAt < now ? provenAt : provenAt === null ? null : now,
    device,
    issuer: provider?.issuer ?? null,
    provider_sid: provider?.sid ?? null,
  });
  const { name } = await trx
    .selectFrom('staff')
    .select('name')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();
  const by = { name: JSON.parse(name) as string, sessionId: id, address, isEmergency: false };
  const caller = { keyId: staffId, accountId: accountId ?? DEFAULT_ACCOUNT_ID, by };
  await recordAccess(trx, {
    caller,
    operation: 'sessions.signIn',
    subjectId: id,
    ...((way === 'link' || isInvited) && linkBy && { details: { link_by: linkBy } }),
  });
  return token;
}

interface SessionListing {
  readonly caller: Caller;
  /** All sessions within reach, for an admin; otherwise the caller's own. */
  readonly everyones: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The live sessions, newest first. */
export async function listSessions(
  { db, vault }: Store,
  { caller, everyones, limit, cursor }: SessionListing,
): Promise<StaffSessionList> {
  const rows = await db
    .selectFrom('staff_session')
    .innerJoin('staff', 'staff.id', 'staff_session.staff_id')
    .select(['staff_session.id', 'staff.name', 'staff_session.created_at', 'used_at', 'device'])
    .select(idleEndsAt.as('idle_ends_at'))
    .select([coveredOf('staff_session').as('session'), coveredOf('staff').as('staff')])
    .where(sessionLives)
    .where(ofCaller(caller, everyones))
    .$if(cursor !== undefined, (all) => all.where('staff_session.id', '<', cursor ?? ''))
    .orderBy('staff_session.id', 'desc')
    .limit(limit + 1)
    .execute();
  await recordAccess(db, { caller, operation: 'sessions.list' });
  const shown = rows.slice(0, limit);
  return {
    items: shown.flatMap((row) => {
      const session = vault.macs.open('staff_session', row.session);
      const person = vault.macs.open('staff', row.staff);
      if (!session || person?.id !== session.staff_id) return [];
      return {
        session_id: session.id,
        staff_id: person.id,
        name: JSON.parse(row.name) as string,
        signed_in_at: row.created_at.toISOString(),
        last_used_at: row.used_at.toISOString(),
        idle_ends_at: row.idle_ends_at.toISOString(),
        ends_at: session.expires_at.toISOString(),
        way: session.way,
        device: row.device,
      };
    }),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** The sessions that a caller may see and end: its own, and for an admin all within reach. */
export function ofCaller(caller: Caller, everyones: boolean): RawBuilder<boolean> {
  const own = sql<boolean>`staff.id = ${caller.keyId}`;
  return everyones ? sql<boolean>`(${own} or ${within(caller, 'staff.account_id')})` : own;
}
