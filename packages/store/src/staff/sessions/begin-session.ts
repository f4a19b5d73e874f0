import { type Transaction } from 'kysely';
import { DEFAULT_ACCOUNT_ID } from '../../access/accounts/ensure-default-account.ts';
import { recordAccess, type SignInWay } from '../../access/record-access.ts';
import { othersThan } from '../../access/two-people.ts';
import type { Vault } from '../../encryption/vault.ts';
import { issueId } from '../../issued-id.ts';
import { insertRow, readNow } from '../../row-macs/covered-rows.ts';
import type { Tables } from '../../tables/tables.ts';
import { createSecretToken } from '../sign-in/secret-token.ts';
import { ABSOLUTE_HOURS } from './session-lives.ts';
import { hashOfOrigin } from './session-of-browser.ts';

export interface NewSession {
  readonly staffId: string;
  /** The person's own account; null for the platform's. */
  readonly accountId: string | null;
  readonly way: SignInWay;
  /** Whose link signs the person in, or gave them the passkey or identity that does. */
  readonly linkBy: readonly string[] | null;
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
  { staffId, accountId, way, linkBy: madeBy, provenAt, originSecret, device, address, provider }: NewSession,
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
    // A provider's clock may be a little ahead: nobody's proof is fresh for longer than from now.
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
    ...(way === 'link' && linkBy && { details: { link_by: linkBy } }),
  });
  return token;
}
