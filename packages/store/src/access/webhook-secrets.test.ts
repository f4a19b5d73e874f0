import { expect, test } from 'vitest';
import { accessLines } from '../../test/access-lines.ts';
import { openTestStores } from '../../test/open-test-stores.ts';
import { anAccount, aWebhookSecret } from '../../test/stages.ts';
import { getWebhookSecrets, rotateWebhookSecret, TooManyRotationsError } from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;

// Without it a rotation would break every receiver that has not changed its secret yet.
test('a rotation keeps the secret before for a day', async () => {
  const [first, second] = [aWebhookSecret(), aWebhookSecret()];
  const caller = await anAccount(store, { webhookSecret: first });
  expect(await getWebhookSecrets(store, caller)).toEqual({
    current: first,
    previous: null,
    previousValidUntil: null,
  });
  const rotated = await rotateWebhookSecret(store, caller, second);
  expect(rotated).toMatchObject({ current: second, previous: first });
  const hours = ((rotated.previousValidUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  expect(await getWebhookSecrets(rival, caller)).toEqual(rotated);
});

// Without it a secret that leaked would sign for ever.
test('after the day the secret before is gone', async () => {
  const caller = await anAccount(store);
  const { current } = await rotateWebhookSecret(store, caller, aWebhookSecret());
  await sql(`update account set previous_webhook_secret_until = now() where id = $1`, [caller.accountId]);
  expect(await getWebhookSecrets(store, caller)).toEqual({
    current,
    previous: null,
    previousValidUntil: null,
  });
});

// Without it the end of a day's overlaps could be put off for ever, and each webhook carry signatures without end.
test('nine old secrets may sign; the tenth rotation waits for the first of them to end', async () => {
  const caller = await anAccount(store);
  for (let count = 0; count < 8; count += 1) await rotateWebhookSecret(store, caller, aWebhookSecret());
  const rivals = [store, rival].map((some) => rotateWebhookSecret(some, caller, aWebhookSecret()));
  const [done, refused] = (await Promise.allSettled(rivals)).toSorted((a) =>
    a.status === 'fulfilled' ? -1 : 1,
  );
  expect(done?.status).toBe('fulfilled');
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(TooManyRotationsError) });
  const { retryAfterSeconds } = (refused as { reason: TooManyRotationsError }).reason;
  expect(retryAfterSeconds).toBeGreaterThan(86_300);
  expect(retryAfterSeconds).toBeLessThanOrEqual(86_400);
  const before = await getWebhookSecrets(store, caller);
  expect(before.current).toBe((done as { value: { current: string } }).value.current);
  await sql(
    `update earlier_webhook_secret set valid_until = now()
     where ctid = (select ctid from earlier_webhook_secret where account_id = $1 order by valid_until limit 1)`,
    [caller.accountId],
  );
  expect(await rotateWebhookSecret(store, caller, aWebhookSecret())).toMatchObject({
    previous: before.current,
  });
});

// Without it two operators who rotate together could end with a secret that neither was shown.
test('two rotations at once end as one after the other', async () => {
  const caller = await anAccount(store);
  const [one, other] = [aWebhookSecret(), aWebhookSecret()];
  const answers = await Promise.all([
    rotateWebhookSecret(store, caller, one),
    rotateWebhookSecret(rival, caller, other),
  ]);
  const { current, previous } = await getWebhookSecrets(store, caller);
  expect([current, previous].toSorted()).toEqual([one, other].toSorted());
  expect(answers.map((answer) => answer.current)).toEqual([one, other]);
});

// Without it one account's rotation would change another's signatures.
test('a rotation touches its own account only', async () => {
  const secret = aWebhookSecret();
  const [rotating, other] = [await anAccount(store), await anAccount(store, { webhookSecret: secret })];
  await rotateWebhookSecret(store, rotating, aWebhookSecret());
  expect(await getWebhookSecrets(store, other)).toMatchObject({ current: secret, previous: null });
});

// Without it nobody could tell who saw the secret.
test('showing and rotating are in the access log', async () => {
  const caller = await anAccount(store);
  await getWebhookSecrets(store, caller);
  await rotateWebhookSecret(store, caller, aWebhookSecret());
  expect(await accessLines(stores, caller)).toEqual([
    ['webhookSecret.get', null],
    ['webhookSecret.rotate', null],
  ]);
});
