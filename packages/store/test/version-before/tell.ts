import { type Caller, getRequest, getResult, listDeliveries, type Store } from '../../src/index.ts';
import { issueId } from '../../src/issued-id.ts';
import type { Told } from './recording.ts';

/** What this version tells of every request in the database. */
export async function tellOfAll(store: Store): Promise<Told[]> {
  const rows = await store.db.selectFrom('request').select(['id', 'account_id']).orderBy('id').execute();
  const told: Told[] = [];
  for (const { id, account_id: accountId } of rows) {
    const caller: Caller = { keyId: issueId('key'), accountId, mode: 'live', acrossAccounts: false };
    const named = { caller, requestId: id };
    const request = await getRequest(store, named);
    const result = await getResult(store, named);
    const deliveries = await listDeliveries(store, named);
    if (request.kind !== 'found' || deliveries.kind !== 'found') throw new Error(`${id} is not found.`);
    told.push({
      requestId: id,
      accountId,
      request: withoutTimes(request.request),
      result: withoutTimes(result),
      deliveries: deliveries.deliveries.map(({ status, attempts }) => `${status} ${attempts.length}`),
    });
  }
  return told;
}

/** Without what the database's clock gave. */
function withoutTimes(value: unknown): unknown {
  const isTime = (text: unknown) => typeof text === 'string' && /^\d{4}-\d\d-\d\dT/.test(text);
  return JSON.parse(JSON.stringify(value, (_key, one: unknown) => (isTime(one) ? undefined : one)));
}
