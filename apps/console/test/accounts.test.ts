import { expect, test } from 'vitest';
import { expectFit, linkTo } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { openMenu } from './ground/open-menu.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Who looks after many accounts acts for the right one, and finds it among thousands.

// Its own service: a test makes more accounts than a page holds, which changes the pages of keys.
useOwn();

test('a requester of the platform posts for another account, in this tab, until it is suspended', async () => {
  const { account_id } = await service.client.accounts.create({ name: 'Main Street Dental' });
  const { request_id: others } = await service.aRequest();
  const watched = await aPerson(service, ['requester']);
  const { page, context } = watched;
  await linkTo(page, others).waitFor();
  await openMenu(page);
  await page.getByRole('button', { name: 'For default …' }).click();
  await page.getByRole('button', { name: /^default/ }).waitFor();
  await expectFit(watched, 'account-switch');
  await page.getByLabel('Part of its name').fill('main st');
  await page.getByRole('button', { name: /^default/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Main Street Dental/ }).click();
  await openMenu(page);
  await page.getByRole('button', { name: 'For Main Street Dental …' }).waitFor();
  await page.getByText('No requests yet').waitFor();
  await page.getByRole('button', { name: 'New request' }).click();
  await page.getByText('The request is of the account Main Street Dental.').waitFor();
  await page.getByLabel('Member id').fill('W-SWITCH-1');
  await page.getByLabel('Date of birth').fill('1984-05-17');
  await page.getByLabel('Plan').selectOption('Meridian Health Plan');
  await page.getByLabel('NPI').fill('1234567893');
  await page.getByRole('group', { name: 'Provider' }).getByLabel('Name', { exact: true }).fill('Dr. Roe');
  await page.getByLabel('Callback address').fill('http://127.0.0.1:9/verified');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/^req_/).waitFor();
  const { items } = await service.client.requests.search({ subscriber_id: 'W-SWITCH-1' });
  expect(items.map((request) => request.account_id)).toEqual([account_id]);

  // Another tab is for whom it always was.
  const second = await context.newPage();
  await second.goto('/console/requests');
  await openMenu(second);
  await second.getByRole('button', { name: 'For default …' }).waitFor();
  await second.close();
  expect(watched.complaints).toEqual([]);
  await service.client.accounts.suspend({ account_id });
  await page.goto('/console/requests');
  await openMenu(page);
  await page.getByRole('button', { name: 'For default …' }).waitFor();
  await linkTo(page, others).waitFor();
});

test('whose work is on every account, or only on one, is offered no other', async () => {
  const reader = await aReader(service, ['verifier', 'operator', 'auditor']);
  const menu = (await reader.open('/work')).only('details', 'Sign out');
  expect(menu.all('button').filter(({ text }) => text.startsWith('For '))).toEqual([]);
});

// Broke: the 101st account could have neither a key nor a person.
test('a key is made for one of more accounts than a page holds', async () => {
  const { account_id: first } = await service.client.accounts.create({ name: 'Practice 001' });
  for (let number = 2; number <= 101; number += 1)
    await service.client.accounts.create({ name: `Practice ${String(number).padStart(3, '0')}` });
  const watched = await aPerson(service, ['admin'], { at: '/console/keys' });
  const { page } = watched;
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByLabel('Find an account by part of its name').fill('practice 001');
  await page.getByLabel('Account', { exact: true }).getByText('Practice 001').waitFor({ state: 'attached' });
  await expect.poll(() => page.getByLabel('Account', { exact: true }).locator('option').count()).toBe(1);
  await page.getByLabel('Name', { exact: true }).fill('Intake of the first');
  await expectFit(watched, 'key-make-many');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('cell', { name: /^Intake of the first/ }).waitFor();
  const [key] = (await service.client.keys.list({ limit: 1 })).items;
  expect(key?.account_id).toBe(first);
});
