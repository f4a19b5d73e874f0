import { initialsOf } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within, withinPayers } from '../../access/reach.ts';
import { recordAccess } from '../../access/record-access.ts';
import { openOrNull } from '../../encryption/seal.ts';
import { openRequestInfo } from '../../intake/read-request.ts';
import type { Store } from '../../open-store.ts';
import { type Page, type PageOptions, readSizedPage } from '../../page.ts';

export interface DraftListOptions extends PageOptions {
  readonly caller: Caller;
}

/** A draft of the caller's, without its content. */
export interface OwnDraft {
  readonly requestId: string;
  readonly payerId: string;
  /** `J. D.`; null for a name without letters, and for one that does not open. */
  readonly patientInitials: string | null;
  readonly savedAt: Date;
  readonly expiresAt: Date;
  readonly isLeased: boolean;
}

/** The days for which a draft is kept after it was saved last. */
export const DRAFT_DAYS = 7;

/** The caller's drafts about unfinished requests, of the newest request first. */
export async function listDrafts(
  { db, vault }: Store,
  { caller, ...page }: DraftListOptions,
): Promise<Page<OwnDraft>> {
  const expiresAt = sql<Date>`saved_at + make_interval(days => ${DRAFT_DAYS})`;
  const own = db
    .selectFrom('draft')
    .innerJoin('request', 'request.id', 'draft.request_id')
    .innerJoin('work_queue', 'work_queue.request_id', 'draft.request_id') // unfinished
    .select(['request.id', 'request.account_id', 'request.payer_id', 'request.input'])
    .select(['draft.saved_at', expiresAt.as('expires_at')])
    .select(sql<boolean>`coalesce(work_queue.leased_until > now(), false)`.as('is_leased'))
    .where('draft.written_by', '=', caller.keyId)
    .where(within({ ...caller, acrossAccounts: true }, 'request.account_id'))
    .where(withinPayers(caller, 'request.payer_id'));
  const { rows, next_cursor } = await readSizedPage(db, own, { column: 'input', ...page });
  await recordAccess(db, { caller, operation: 'drafts.list', requestIds: rows.map(({ id }) => id) });
  const items = await Promise.all(
    rows.map(async (row) => {
      const input = await openOrNull(openRequestInfo(vault, row));
      return {
        requestId: row.id,
        payerId: row.payer_id,
        patientInitials: initialsOf(input?.patient_info.name),
        savedAt: row.saved_at,
        expiresAt: row.expires_at,
        isLeased: row.is_leased,
      };
    }),
  );
  return { items, next_cursor };
}
