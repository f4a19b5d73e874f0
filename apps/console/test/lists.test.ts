import { anOutput } from '@insurance-verification/testing/an-output';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aHeldOutput } from './ground/a-held-output.ts';
import { expectFit, linkTo } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { useBrowser } from './ground/shared.ts';

// A list is worked on by somebody who looks for one row among fifty, with the keyboard and on a phone too.

useBrowser();

// Its own service: the tests count all there is.
let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await startService();
  ids = [];
  for (let made = 0; made < 40; made += 1) {
    const request = await service.aRequest();
    ids.push(request.request_id);
    if (made < 30) await service.client.verificationOutput.submit(anOutput(request));
    if (made === 30) await aHeldOutput(service, request);
  }
}, 120_000);
afterAll(() => service.stop());

const LISTS = ['requests', 'deliveries', 'held', 'receivers', 'accounts', 'keys', 'staff', 'audit'];

/** Pixels above the first row, cells that are cut, and how far the page scrolls sideways. */
const measure = (page: Page) =>
  page.evaluate<{ above: number; cut: string[]; sideways: number }>(`({
    above: document.querySelector('tbody tr').getBoundingClientRect().top + scrollY,
    cut: [...document.querySelectorAll('th, td')].filter((cell) => cell.checkVisibility()
      && (cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > innerWidth))
      .map((cell) => cell.textContent),
    sideways: document.documentElement.scrollWidth - innerWidth,
  })`);

// Broke: two rows of labelled selects stood above each list, and its last columns were cut at 1280 px.
test('every list begins near the top, cuts no column at any width, and keeps its head in sight', async () => {
  const roles = ['operator', 'requester', 'admin', 'auditor'] as const;
  const watched = await aPerson(service, [...roles]);
  const { page } = watched;
  for (const list of LISTS) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/console/${list}`);
    await page.locator('tbody tr').first().waitFor();
    for (const [width, aboveMax] of [
      [1280, 88],
      [1000, 160],
      [390, 160],
      [320, 240],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const { above, cut, sideways } = await measure(page);
      expect({ list, width, cut, sideways }).toEqual({ list, width, cut: [], sideways: 0 });
      expect(above, `${list} at ${width}`).toBeLessThanOrEqual(aboveMax);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/console/requests');
  await page.locator('tbody tr').nth(39).scrollIntoViewIfNeeded();
  const head = await page.getByRole('columnheader', { name: 'Answer' }).boundingBox();
  expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(200);
  expect(head?.y).toBe(0);
  await page.getByText('40 in all').waitFor();
});

test('a filter is a chip that applies at once and is removed by itself; clinics are found by name', async () => {
  const { account_id: accountId } = await service.client.accounts.create({ name: 'Main Street Dental' });
  const watched = await aPerson(service, ['operator']);
  const { page } = watched;
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByText('40 in all').waitFor();
  await page.getByLabel('State').selectOption('Pending');
  await page.getByText('10 in all').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  const account = page.getByRole('combobox', { name: 'Account' });
  await account.fill('main st');
  await expect.poll(() => page.locator('datalist option').getAttribute('value')).toBe('Main Street Dental');
  await account.fill('Main Street Dental');
  await page.getByText('No request meets these filters').waitFor();
  expect(new URL(page.url()).search).toBe(`?state=pending&account_id=${accountId}`);
  await page.reload();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Account' }).inputValue())
    .toBe('Main Street Dental');
  await expectFit(watched, 'requests-filtered');
  await page.getByRole('button', { name: 'Clear this filter' }).last().click();
  await page.getByText('10 in all').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('40 in all').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a list is turned by age, and a click anywhere in a row opens it', async () => {
  const { page } = await aPerson(service, ['requester']);
  const first = page.locator('tbody tr').first();
  await first.and(page.locator('tr').filter({ has: linkTo(page, ids.at(-1) ?? '') })).waitFor();
  await page.getByRole('button', { name: 'Received' }).click();
  await first.and(page.locator('tr').filter({ has: linkTo(page, ids[0] ?? '') })).waitFor();
  expect(new URL(page.url()).search).toBe('?order=oldest');
  await page
    .getByRole('columnheader', { name: 'Received' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor();
  await first.click();
  await page.waitForURL(`**/requests/${ids[0]}`);
});

test('/ leads to the search of a list, and Ctrl+K anywhere', async () => {
  const watched = await aPerson(service, ['operator', 'requester'], { at: '/console/deliveries' });
  const { page } = watched;
  await page.locator('tbody tr').first().waitFor();
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Host');
  await page.keyboard.type('127.0.0.1:9');
  await page.keyboard.press('Enter');
  await page.waitForURL(/host=127/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^An action, a page/ }).fill('hel');
  await page.getByRole('option', { name: 'Held outputs', selected: true }).waitFor();
  await expectFit(watched, 'go-to');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Held outputs', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(ids[3] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/requests/${ids[3]}`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('w123456789');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/requests');
  await page.getByText('40 in all').waitFor();
  expect(page.url()).not.toContain('w123');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('option', { name: 'Settings', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the navigation says how much waits, and the menu under the name closes by itself', async () => {
  const watched = await aPerson(service, ['operator', 'verifier'], { name: 'Ada Both' });
  const { page } = watched;
  await page.getByRole('link', { name: 'Work 10 wait' }).waitFor();
  await page.getByRole('link', { name: 'Held outputs 1 held' }).waitFor();
  await page.getByText('Ada Both').click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await expectFit(watched, 'person-menu');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  await page.getByText('Ada Both').click();
  await page.getByRole('link', { name: 'Requests', exact: true }).focus();
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
});
