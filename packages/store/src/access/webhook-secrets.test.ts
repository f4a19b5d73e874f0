import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { anAccount, aWebhookSecret } from '../../test/ground/stages.ts';
import { type Caller, getWebhookSecret, rotateWebhookSecret, type Store } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

/** A rotation within the limit. */
async function rotate(of: Store, caller: Caller, next: string) {
  const rotated = await rotateWebhookSecret(of, { caller, next });
  if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
  return rotated.secret;
}

// Without it a rotation would break every receiver that has not changed its secret yet.
test('a rotation keeps the secret before for a day', async () => {
  const [first, second] = [aWebhookSecret(), aWebhookSecret()];
  const caller = await anAccount(store, { webhookSecret: first });
  expect(await getWebhookSecret(store, { caller })).toEqual({
    current: first,
    previous: null,
    previous_valid_until: null,
  });
  const rotated = await rotate(store, caller, second);
  expect(rotated).toMatchObject({ current: second, previous: first });
  const hours = (Date.parse(rotated.previous_valid_until ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  expect(await getWebhookSecret(rival, { caller })).toEqual(rotated);
});

// Without it a leaked secret would sign forever.
test('after the day the secret before is gone', async () => {
  const caller = await anAccount(store);
  const { current } = await rotate(store, caller, aWebhookSecret());
  await sql(`update account set previous_webhook_secret_until = now() where id = $1`, [caller.accountId]);
  expect(await getWebhookSecret(store, { caller })).toEqual({
    current,
    previous: null,
    previous_valid_until: null,
  });
});

// Without it overlaps could be extended forever, and each webhook could carry endless signatures.
test('nine old secrets may sign; the tenth rotation waits for the first of them to end', async () => {
  const caller = await anAccount(store);
  for (let count = 0; count < 8; count += 1) await rotate(store, caller, aWebhookSecret());
  const rivals = [store, rival].map((some) => rotateWebhookSecret(some, { caller, next: aWebhookSecret() }));
  const [done, refused] = (await Promise.all(rivals)).toSorted(({ kind }) => (kind === 'rotated' ? -1 : 1));
  if (done?.kind !== 'rotated' || refused?.kind !== 'too_many_rotations')
    return expect.fail('One rotates and the other is refused.');
  expect(refused.retryAfterSeconds).toBeGreaterThan(86_300);
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  const before = await getWebhookSecret(store, { caller });
  expect(before.current).toBe(done.secret.current);
  await sql(
    `update earlier_webhook_secret set valid_until = now()
     where ctid = (select ctid from earlier_webhook_secret where account_id = $1 order by valid_until limit 1)`,
    [caller.accountId],
  );
  expect(await rotate(store, caller, aWebhookSecret())).toMatchObject({
    previous: before.current,
  });
});

// Without it two operators who rotate together could end up with a secret that neither was shown.
test('two rotations at once end as one after the other', async () => {
  const caller = await anAccount(store);
  const [one, other] = [aWebhookSecret(), aWebhookSecret()];
  const answers = await Promise.all([rotate(store, caller, one), rotate(rival, caller, other)]);
  const { current, previous } = await getWebhookSecret(store, { caller });
  expect([current, previous].toSorted()).toEqual([one, other].toSorted());
  expect(answers.map((answer) => answer.current)).toEqual([one, other]);
});

// Without it one account's rotation would change another's signatures.
test('a rotation touches its own account only', async () => {
  const secret = aWebhookSecret();
  const [rotating, other] = [await anAccount(store), await anAccount(store, { webhookSecret: secret })];
  await rotate(store, rotating, aWebhookSecret());
  expect(await getWebhookSecret(store, { caller: other })).toMatchObject({ current: secret, previous: null });
});

// Without it nobody could tell who saw the secret.
test('showing and rotating are in the access log', async () => {
  const caller = await anAccount(store);
  await getWebhookSecret(store, { caller });
  await rotate(store, caller, aWebhookSecret());
  expect(await accessLines(stores, caller)).toEqual([
    ['webhookSecret.get', null],
    ['webhookSecret.rotate', null],
  ]);
});
