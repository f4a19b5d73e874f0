import { escapeHidden } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import type { TestService } from './ground/a-service.ts';
import { service, useShared } from './ground/shared.ts';

// What an admin makes, sets and takes back: accounts with their limits, keys, and the webhook secret.

useShared();

type Roles = Parameters<TestService['link']>[0];

const signedIn = (roles: Roles) => aPerson(service, roles);

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('an account and a key are made, and the key is shown once', async () => {
  const watched = await signedIn(['admin']);
  const { page } = watched;
  await heading(watched, 'Accounts');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByLabel('Name').fill('Elm Street Dental');
  await expectFit(watched, 'account-make');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('rowheader', { name: 'Elm Street Dental' }).waitFor();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page
    .getByLabel('Account', { exact: true })
    .selectOption({ label: 'Elm Street Dental (live, provider)' });
  await page.getByLabel('Name').fill('Elm intake');
  await expectFit(watched, 'key-make');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByText(/^ivk_live_[0-9a-z]{30,}$/).innerText();
  await page.getByRole('button', { name: 'I have it' }).click();
  const keyRow = page.getByRole('row', { name: /Elm intake/ });
  await keyRow.waitFor();
  expect(await page.content()).not.toContain(key);
  await keyRow.getByRole('button', { name: 'Revoke …' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await keyRow.getByText('Revoked').waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click();
  const accountRow = page.getByRole('row', { name: /Elm Street/ });
  await accountRow.getByRole('button', { name: 'Suspend …' }).click();
  await page.getByRole('button', { name: 'Suspend the account' }).click();
  await accountRow.getByText('Suspended').waitFor();
  await accountRow.getByRole('button', { name: 'Resume' }).click();
  await accountRow.getByText('Suspended').waitFor({ state: 'detached' });
  expect(watched.complaints).toEqual([]);
});

test('an account’s limits are set and taken back, and a wrong one is reported at its field', async () => {
  const { account_id: id } = await service.client.accounts.create({ name: 'Limited Dental' });
  const watched = await signedIn(['admin']);
  const { page } = watched;
  const open = () =>
    page
      .getByRole('row', { name: /Limited Dental/ })
      .getByRole('button', { name: 'Limits …' })
      .click();
  await open();
  await page.getByLabel('Requests created').fill('120,000 in 60 s');
  await page.getByLabel(/^Networks/).fill('203.0.113.0/24');
  await expectFit(watched, 'account-limits');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page.getByRole('heading', { name: 'Limits of Limited Dental' }).waitFor({ state: 'detached' });
  const intake = async () => (await service.client.accounts.limits({ account_id: id })).policies.intake;
  expect(await intake()).toEqual({ quota: 120_000, window_seconds: 60, overridden: true });
  await open();
  await page.getByLabel('Rows read').fill('many');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page
    .getByText(/Input should be/)
    .first()
    .waitFor();
  watched.excuse(422);
  await expectFit(watched, 'account-limits-wrong');
  await page.getByLabel('Rows read').fill('');
  await page.getByLabel('Requests created').fill('');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page.getByRole('heading', { name: 'Limits of Limited Dental' }).waitFor({ state: 'detached' });
  expect(await intake()).toMatchObject({ overridden: false });
});

test('the webhook secret is shown when asked for, and a new one next to the one before', async () => {
  const watched = await signedIn(['admin']);
  const { page } = watched;
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Webhook secret …' }).click();
  expect(await page.getByText(/^whsec_/).count()).toBe(0);
  await page.getByRole('button', { name: 'Show it' }).click();
  const before = await page.getByText(/^whsec_/).innerText();
  await page.getByRole('button', { name: 'Make a new one' }).click();
  await page.getByText('The one before signs too until').waitFor();
  expect(
    await page
      .getByText(/^whsec_/)
      .nth(1)
      .innerText(),
  ).toBe(before);
  await expectFit(watched, 'webhook-secret');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.content()).not.toContain('whsec_');
});

test('a name of 200 letters, from right to left and in pictures pushes nothing off the page', async () => {
  const name = `שלום 🦷👩‍⚕️ ${'W'.repeat(170)}`;
  const shown = escapeHidden(name); // what joins the picture is hidden
  await service.client.accounts.create({ name });
  await service.client.staff.add({ name, roles: ['viewer'] });
  const watched = await signedIn(['admin']);
  const { page } = watched;
  await page.getByRole('rowheader', { name: shown }).waitFor();
  await expectFit(watched, 'accounts-long-name');
  const { width = 0 } = (await page.getByRole('rowheader', { name: shown }).boundingBox()) ?? {};
  expect(width).toBeLessThan(420);
  await page.getByRole('button', { name: `Suspend … ${shown}` }).click();
  await page.getByRole('heading', { name: `Suspend ${shown}` }).waitFor();
  await expectFit(watched, 'account-suspend-long-name');
  await page.getByRole('button', { name: 'Leave it' }).click();
  await page.getByRole('link', { name: 'Staff' }).click();
  await page.getByRole('button', { name: `Change … ${shown}` }).click();
  await expectFit(watched, 'staff-long-name');
});
