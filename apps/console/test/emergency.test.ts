import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { openMenu } from './ground/open-menu.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

const REASON = 'The verifiers are out; a patient waits at the desk.';

test('an operator breaks the glass with a reason, works as a verifier, and the audit shows it in red', async () => {
  const watched = await aPerson(service, ['operator']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.goto('/console/held');
  await page.getByRole('heading', { name: 'Held outputs', level: 1 }).waitFor();
  watched.excuse(403);
  expect(await page.getByRole('link', { name: 'Work', exact: true }).count()).toBe(0);
  await openMenu(page);
  await page.getByRole('button', { name: 'Emergency …' }).click();
  const begin = page.getByRole('button', { name: 'Begin emergency access' });
  await page.getByLabel(/^Why/).fill('too short');
  expect(await begin.isDisabled()).toBe(true);
  await page.getByLabel(/^Why/).fill(REASON);
  // Broke: the links beside it lent it their look.
  const border = `getComputedStyle(document.querySelector('dialog [type=submit]')).borderTopStyle`;
  expect(await page.evaluate(border)).toBe('solid');
  await expectFit(watched, 'emergency-reason');
  await begin.click();
  await page.getByText(/^Emergency access until/).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('button', { name: 'Emergency …' }).count()).toBe(0);

  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').waitFor();
  await page.getByText(/^Emergency access until/).waitFor();
  await expectFit(watched, 'emergency-work');
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();

  const auditor = await aReader(service, ['auditor']);
  const audit = (await auditor.open('/audit')).only('main');
  const line = audit.all('tr').find(({ text }) => text.includes('Took a request'));
  expect(line?.text).toMatch(/emergency/i);
  expect(line?.markup).toMatch(/mark-bad/);
  expect(audit.text).toContain(REASON);
});

test('who is no operator is not offered it', async () => {
  const reader = await aReader(service, ['verifier', 'admin', 'auditor']);
  const menu = (await reader.open('/work')).only('details', 'Sign out');
  expect(menu.all('button').map(({ text }) => text)).not.toContain('Emergency …');
});
