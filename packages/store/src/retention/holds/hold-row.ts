import type { LegalHold } from '@insurance-verification/schema';
import type { Selectable, Transaction } from 'kysely';
import { accountNameOf } from '../../access/accounts/account-name.ts';
import { subjectNameOf } from '../../access/subject-name.ts';
import { openOrNull } from '../../encryption/seal.ts';
import type { Vault } from '../../encryption/vault.ts';
import type { Tables } from '../../tables/tables.ts';

export type HoldRow = Selectable<Tables['legal_hold']>;

/** Whose it is and who placed it, in words. */
export const holdNames = [
  accountNameOf('legal_hold.account_id').as('account_name'),
  subjectNameOf('legal_hold.placed_by').as('placed_by_name'),
] as const;

/** A hold that this transaction wrote. */
export const findHold = (trx: Transaction<Tables>, holdId: string) =>
  trx
    .selectFrom('legal_hold')
    .selectAll()
    .select(holdNames)
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();

/** Where its reason is sealed. On another request it does not open. */
export const holdPlace = ({ id, request_id: requestId }: Pick<HoldRow, 'id' | 'request_id'>): string =>
  `legal_hold.reason:${id}.${requestId ?? ''}`;

/** A row in the API's form. A reason that does not open is null, as one that was erased. */
export async function toHold(
  vault: Vault,
  row: HoldRow & {
    /** JSON strings. */
    readonly account_name: string;
    readonly placed_by_name: string | null;
  },
): Promise<LegalHold> {
  const owner = { accountId: row.account_id };
  return {
    hold_id: row.id,
    request_id: row.request_id,
    account_id: row.account_id,
    account_name: JSON.parse(row.account_name) as string,
    reason:
      row.reason.length === 0
        ? null
        : await openOrNull(vault.openJson<string>(owner, holdPlace(row), row.reason)),
    placed_by: row.placed_by,
    placed_by_name: JSON.parse(row.placed_by_name ?? 'null') as string | null,
    placed_at: row.placed_at.toISOString(),
    ended_by: row.ended_by,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
