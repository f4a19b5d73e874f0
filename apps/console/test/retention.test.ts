import { openStore } from '@insurance-verification/store';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, onTestFinished, test } from 'vitest';
import { aGivenUp } from './ground/a-given-up.ts';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: the tests edit rows.
useOwn({ WEBHOOK_RETRY_SCHEDULE: '0s' });

async function theStore() {
  const store = await openStore({ connectionString: service.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  onTestFinished(() => store.close());
  return store;
}

/** Another account's finished request of two years ago, copied from one of today. */
async function anOldOne(accountId: string): Promise<void> {
  const { db } = await theStore();
  const id = await aGivenUp(service);
  const old = { account_id: accountId, request_id: 'req_01jdabcdefghjkmnpqrstvwxyz' };
  const at = new Date('2024-11-22T00:00:00Z');
  const request = await db.selectFrom('request').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const result = await db
    .selectFrom('result')
    .selectAll()
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow();
  const delivery = await db
    .selectFrom('delivery')
    .selectAll()
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow();
  const { undelivered: _undelivered, ...asPosted } = request;
  const { exhausted_at: _exhaustedAt, ...asSent } = delivery;
  await db
    .insertInto('request')
    .values({ ...asPosted, account_id: accountId, id: old.request_id, received_at: at })
    .execute();
  await db
    .insertInto('result')
    .values({ ...result, request_id: old.request_id })
    .execute();
  await db
    .insertInto('delivery')
    .values({ ...asSent, ...old, id: 'msg_01jdabcdefghjkmnpqrstvwxyz', done_at: at })
    .execute();
}

// Without it an admin would erase years of a clinic's requests without having been told.
test('a retention is asked for in words, with how many requests lose their data shown first, confirmed, and taken back', async () => {
  const { account_id } = await service.client.accounts.create({ name: 'Main Street Dental' });
  await service.client.accounts.create({ name: 'Sandbox Dental', mode: 'test' });
  await anOldOne(account_id);
  const watched = await aPerson(service, ['admin'], { at: '/console/accounts' });
  const { page } = watched;
  const row = page.getByRole('row', { name: /Main Street Dental/ });
  const shows = (words: string) =>
    row.getByRole('button', { name: `Retention of Main Street Dental: ${words} …` });
  await shows('Kept').waitFor();
  await page.getByRole('button', { name: 'Retention of Sandbox Dental: 30 days …' }).waitFor();
  await shows('Kept').click();
  await page.getByLabel('is erased').check();
  const days = page.getByLabel(/^Days after the end/);
  await days.fill('2');
  await page.getByText('A whole number from 3 to 3,650.').waitFor();
  await expectFit(watched, 'retention-wrong');
  await days.fill('3650');
  await page.getByText('No finished request is older.').waitFor();
  const answer = Promise.withResolvers<void>();
  await page.route('**/accounts.retention*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await days.fill('90');
  const erase = page.getByRole('button', { name: 'Ask for these days' });
  await page.getByText('Counting …').waitFor();
  expect(await erase.isDisabled()).toBe(true); // the count of other days is not theirs
  answer.resolve();
  await page.getByText('One finished request is older, and loses its data.').waitFor();
  await page.getByText(/Another person confirms it, within 7 days. It begins in a day/).waitFor();
  await expectFit(watched, 'retention');
  await erase.click();
  await shows('Kept, 90 days to confirm').waitFor();
  await shows('Kept, 90 days to confirm').click();
  await page.getByRole('button', { name: 'Confirm 90 days' }).click();
  watched.excuse(409);
  await page.getByText(/^Another person has to confirm it/).waitFor();
  await expectFit(watched, 'retention-refused');
  const second = await aPerson(service, ['privacy'], { at: '/console/privacy' });
  await second.page
    .getByRole('button', { name: 'Retention of Main Street Dental: Kept, 90 days to confirm …' })
    .click();
  await second.page.getByText('One finished request is older, and loses its data.').waitFor();
  await expectFit(second, 'retention-confirm');
  await second.page.getByRole('button', { name: 'Confirm 90 days' }).click();
  await second.page.getByRole('button', { name: 'Retention of Main Street Dental: 90 days …' }).waitFor();
  await page.goto('/console/accounts');
  await shows('90 days').click();
  await page.getByText(/Kept → 90 days/).waitFor();
  await page.getByLabel('is kept').check();
  await expectFit(watched, 'retention-back');
  await page.getByRole('button', { name: 'Set the retention' }).click();
  await shows('Kept').waitFor();
  const { changes } = await service.client.accounts.retention({ account_id });
  expect(changes.map(({ days_before, days_after }) => [days_before, days_after])).toEqual([
    [90, null],
    [null, 90],
  ]);
});

// Without it a page of an erased request would fail, or offer what can no longer be done.
test('an erased request says so in place of its data, in its timeline and in the list', async () => {
  const id = await aGivenUp(service);
  const { db } = await theStore();
  const empty = Buffer.alloc(0);
  await db.updateTable('request').set({ input: empty, erased_at: new Date() }).where('id', '=', id).execute();
  await db.updateTable('result').set({ body: empty, digest: empty }).where('request_id', '=', id).execute();
  await db.updateTable('delivery').set({ destination: empty }).where('request_id', '=', id).execute();
  const reader = await aReader(service, ['requester', 'operator']);
  expect((await reader.open('/requests')).only('tr', `/requests/${id}"`).text).toContain('Data erased');
  const request = (await reader.open(`/requests/${id}`)).only('main');
  expect(request.all('p').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^The data was erased/),
  );
  expect(request.all('li').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('It was erased when its retention was over.'),
  );
  const buttons = request.all('button').map(({ text }) => text);
  expect(buttons.join()).not.toMatch(/New from this one|Deliver again|Show the patient/);
  const watched = await aPerson(service, ['requester', 'operator'], { at: `/console/requests/${id}` });
  const { page } = watched;
  await page.getByText(/^The data was erased/).waitFor();
  await expectFit(watched, 'request-erased');
  const [delivery] = (await service.client.requests.deliveries({ request_id: id })).items;
  await page.goto(`/console/deliveries/${delivery?.delivery_id}`);
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText(/^There is nothing to send again/).waitFor();
  await expectFit(watched, 'delivery-erased');
});
