import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { openTestStores } from '../test/ground/open-test-stores.ts';
import { aFinishedRequest, anAccount, aWebhookSecret, hold, PAYER_ID } from '../test/ground/stages.ts';
import { theResult } from '../test/ground/the-stored.ts';
import {
  applyHeldOutput,
  getHeldOutput,
  insertRequests,
  removeExpired,
  rotateWebhookSecret,
} from './index.ts';

const { store, rival, sql } = await openTestStores();
const caller = await anAccount(store);

const age = (table: string, column: string, key: string, by: string) =>
  sql(
    `update ${table} set ${column} = ${column} - interval '${by}' where ${table === 'held_output' ? 'id' : 'request_id'} = $1`,
    [key],
  );

// Without it patient data from anonymous senders would be kept forever; if too early, an operator's work would vanish.
test('held outputs go after 30 days, settled or not', async () => {
  const request = await aFinishedRequest(store, caller);
  const held = async (notes: string, by: string) => {
    const heldId = await hold(store, anOutput(request, { notes }));
    await age('held_output', 'received_at', heldId, by);
    return heldId;
  };
  const [young, old, applied] = [
    await held('a', '29 days 23 hours'),
    await held('b', '30 days 1 minute'),
    await held('c', '31 days'),
  ];
  await applyHeldOutput(store, { caller, heldId: applied });
  await Promise.all([removeExpired(store), removeExpired(rival)]);
  expect(await getHeldOutput(store, { caller, heldId: young })).toMatchObject({ kind: 'found' });
  for (const heldId of [old, applied])
    expect(await getHeldOutput(store, { caller, heldId })).toEqual({ kind: 'not_found' });
  expect(await theResult(store, caller, request.request_id)).toMatchObject({
    insurance_data: [{ notes: 'c' }],
  });
});

// Without it a retry within the promised 24 h would create a second request, or the table would grow forever.
test('an idempotency key holds for more than 24 hours, then goes', async () => {
  const insert = async (idempotencyKey: string) => {
    const [inserted] = await insertRequests(store, [
      { caller, payerId: PAYER_ID, input: aRequest(), idempotencyKey },
    ]);
    if (!inserted || !('request' in inserted)) throw new Error('reused');
    return { kind: inserted.kind, id: inserted.request.request_id ?? '' };
  };
  const [kept, gone] = [await insert('kept'), await insert('gone')];
  await age('idempotency_key', 'created_at', kept.id, '25 hours');
  await age('idempotency_key', 'created_at', gone.id, '3 days');
  await removeExpired(store);
  expect(await insert('kept')).toEqual({ kind: 'replayed', id: kept.id });
  expect((await insert('gone')).kind).toBe('created');
  expect(await sql('select from request where id = $1', [gone.id])).toHaveLength(1);
});

// Without it a copy of the database would contain secrets that were rotated because they had leaked.
test('a rotated secret goes when it signs no more', async () => {
  const rotating = await anAccount(store);
  for (let count = 0; count < 3; count += 1)
    await rotateWebhookSecret(store, { caller: rotating, next: aWebhookSecret() });
  const mine = (text: string) => sql(text, [rotating.accountId]);
  await mine(`update earlier_webhook_secret set valid_until = now() where ctid =
    (select min(ctid) from earlier_webhook_secret where account_id = $1)`);
  await removeExpired(store);
  expect(await mine('select from earlier_webhook_secret where account_id = $1')).toHaveLength(1);
  const previous = () => mine('select previous_webhook_secret is null as gone from account where id = $1');
  expect(await previous()).toEqual([{ gone: false }]);
  await mine('update account set previous_webhook_secret_until = now() where id = $1');
  await removeExpired(store);
  expect(await previous()).toEqual([{ gone: true }]);
});

// Without it a backlog too large for one statement's time-out would stay, and grow.
test('a backlog goes in several statements of one call', async () => {
  const { request_id: requestId } = await aFinishedRequest(store, caller);
  await sql(
    `insert into idempotency_key (account_id, key, body_digest, request_id, created_at)
     select $1, int4send(n), '', $2, now() - interval '3 days' from generate_series(1, 20001) as n`,
    [caller.accountId, requestId],
  );
  const left = () => sql('select from idempotency_key where request_id = $1', [requestId]);
  expect(await left()).toHaveLength(20_001);
  await removeExpired(store);
  expect(await left()).toEqual([]);
});
