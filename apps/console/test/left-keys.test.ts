import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

// Broke: nobody was shown which keys had been made by somebody who left since.
test('keys of people who have left are above all others, and people’s bounds are next to their roles', async () => {
  await service.client.accounts.create({ name: 'Portal Street Dental' });
  const leaver = await aPerson(service, ['admin']);
  const { staff_id } = (await service.client.staff.list({ limit: 1 })).items[0] ?? { staff_id: '' };
  await leaver.page.getByRole('link', { name: 'Keys' }).click();
  await leaver.page.getByRole('button', { name: 'Make a key' }).click();
  await leaver.page
    .getByLabel('Account', { exact: true })
    .selectOption({ label: 'Portal Street Dental (live, provider)' });
  await leaver.page.getByLabel('Name').fill('Portal software');
  await leaver.page.getByRole('button', { name: 'Make the key' }).click();
  await leaver.page.getByRole('button', { name: 'I have it' }).click();
  expect(await leaver.page.getByText('Made by people who have left').count()).toBe(0);
  await service.client.staff.end({ staff_id });
  await service.client.staff.add({
    name: 'Sam Roe',
    roles: ['verifier'],
    allowed_cidrs: ['203.0.113.0/24'],
    verify_within: { payer_ids: ['plan-1'], channels: ['manual_phone_call'] },
  });

  const watched = await aPerson(service, ['admin']);
  const { page } = watched;
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByText('Made by people who have left, and still working: Portal software.').waitFor();
  await page
    .getByRole('row', { name: /Portal software/ })
    .getByText('Its maker left')
    .waitFor();
  await expectFit(watched, 'left-keys');
  await page
    .getByRole('row', { name: /Portal software/ })
    .getByRole('button', { name: 'Revoke …' })
    .click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('Made by people who have left').waitFor({ state: 'detached' });
  const admin = await aReader(service, ['admin']);
  expect((await admin.open('/staff')).only('main').text).toContain(
    'verifier. Verifies only for payers plan-1; channels manual_phone_call. Only from 203.0.113.0/24',
  );
  expect(watched.complaints).toEqual([]);
});
