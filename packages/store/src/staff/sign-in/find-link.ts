import { type Kysely, sql } from 'kysely';
import type { Vault } from '../../encryption/vault.ts';
import { coveredOf } from '../../row-macs/covered-columns.ts';
import type { Tables } from '../../tables/tables.ts';

/** Whom a one-time link names. */
export interface LinkedPerson {
  readonly staffId: string;
  /** Null for the platform's. */
  readonly accountId: string | null;
  /** Who made it, and who may have acted in it; null for the service itself. */
  readonly madeBy: string[] | null;
}

/**
 * The person of a link that still works, with its row locked where that is asked; undefined for a link that is unknown
 * or old, and where the link or its person was altered.
 */
export async function findLink(
  { db, vault }: { readonly db: Kysely<Tables>; readonly vault: Vault },
  token: string,
  { locks }: { readonly locks: boolean },
): Promise<LinkedPerson | undefined> {
  const hash = vault.index('sign_in_link.hash', token);
  const row = await db
    .selectFrom('sign_in_link')
    .innerJoin('staff', 'staff.id', 'sign_in_link.staff_id')
    .select([coveredOf('sign_in_link').as('link'), coveredOf('staff').as('staff')])
    .where('sign_in_link.hash', '=', hash)
    .where('sign_in_link.expires_at', '>', sql<Date>`now()`)
    .where('staff.ended_at', 'is', null)
    .$if(locks, (found) => found.forUpdate())
    .executeTakeFirst();
  const link = row && vault.macs.open('sign_in_link', row.link);
  const person = row && vault.macs.open('staff', row.staff);
  if (!link?.hash.equals(hash) || person?.id !== link.staff_id) return undefined;
  return { staffId: person.id, accountId: person.account_id, madeBy: link.made_by };
}
