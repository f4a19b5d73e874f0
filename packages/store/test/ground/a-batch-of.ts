import { randomUUID } from 'node:crypto';
import { referencePlace } from '../../src/batches/receive-batch.ts';
import { beginBatch } from '../../src/index.ts';
import type { TestStores } from './open-test-stores.ts';

/** A batch whose only row is this request, with a reference. */
export async function aBatchOf({ store, sql }: TestStores, requestId: string): Promise<{ batch_id: string }> {
  const [{ account_id: accountId } = { account_id: '' }] = await sql<{ account_id: string }>(
    'select account_id from request where id = $1',
    [requestId],
  );
  const begun = await beginBatch(store, {
    caller: { accountId, keyId: 'key_1', mode: 'live' },
    idempotencyKey: randomUUID(),
    head: '',
    mode: 'accept_valid',
    label: null,
  });
  if (begun.kind !== 'begun') throw new Error('It was not begun.');
  const { batchId } = begun.receiver;
  const reference = await store.vault.encrypt(
    { accountId },
    referencePlace(batchId, 1),
    JSON.stringify('chart of Jane'),
  );
  await sql(
    `insert into batch_row (batch_id, row, digest, reference, request_id) values ($1, 1, '', $2, $3)`,
    [batchId, reference, requestId],
  );
  return { batch_id: batchId };
}
