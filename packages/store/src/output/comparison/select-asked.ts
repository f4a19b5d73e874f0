import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { requestModelColumns } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';

/** The requests within the caller's reach that held outputs are compared with; the account's name is a JSON string. */
export function selectAsked(db: Store['db'], caller: Caller) {
  return db
    .selectFrom('request')
    .innerJoin('account', 'account.id', 'request.account_id')
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(['request.erased_at', 'request.payer_id', 'request.payer_name', 'request.version'])
    .select('account.name as account_name')
    .where(within(caller, 'request.account_id'));
}
