import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aGivenUp } from './ground/a-given-up.ts';
import { expectFit, linkTo } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Trouble calls: what is overdue, held or was given up is counted where everybody looks, and one click away.

// Its own service: the tests count all there is.
useOwn({ WEBHOOK_RETRY_SCHEDULE: '0s' });

/** Nothing listens there. */
const LOST = 'localhost:4317';

/** The words of the page, and the ports, that do not stand on one line. */
const broken = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const lost = [];
    const walker = document.createTreeWalker(document.querySelector('table'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: word, index } of node.data.matchAll(/:?[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) lost.push(word);
      }
    return lost;
  })()`);

const sideways = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

// Broke: a dead receiver was found by who looked for it, and a late request by the clinic that called.
test('what is overdue or was given up is counted in the navigation as it happens, and leads to its list', async () => {
  const watched = await aPerson(service, ['requester', 'operator']);
  const { page } = watched;
  const places = page.getByRole('navigation', { name: 'Pages' });
  await places.getByRole('link', { name: 'Requests', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: /overdue|given up/ }).count()).toBe(0);
  const input = (await service.aRequest()).input;
  const { request_id: late } = await service.client.requests.create(input, {
    neededBy: new Date(Date.now() + 1_500),
  });
  for (let lost = 0; lost < 2; lost += 1) await aGivenUp(service);
  await page.getByRole('link', { name: '2 given up' }).click();
  await page.waitForURL(/deliveries\?status=exhausted$/);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  await until('it is late', async () => (await service.client.requests.stats()).late_count === 1);
  await aGivenUp(service); // the counts are read again with each event
  await page.getByRole('link', { name: '3 given up' }).waitFor();
  await page.getByRole('link', { name: '1 overdue' }).click();
  await page.waitForURL(/requests\?late=yes$/);
  await linkTo(page, late ?? '').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  await expectFit(watched, 'requests-overdue');
  const viewer = await aReader(service, ['viewer']);
  const links = (await viewer.open('/requests')).all('a').map(({ text }) => text);
  expect(links).toEqual(expect.arrayContaining(['1 overdue', '3 given up']));
  expect(watched.complaints).toEqual([]);
});

// Broke: hosts came by what waited, what was given up had to be looked for by a time, and 4317 stood on two lines.
test('receivers come by what was given up, and one button sends that of a host again', async () => {
  const ids: string[] = [];
  for (let lost = 0; lost < 5; lost += 1)
    ids.push(await aGivenUp(service, { callback_url: `http://${LOST}/verified` }));
  await until('both receivers are counted', async () => {
    const { items } = await service.client.receivers.list();
    return items.length === 2 && items[0]?.last_outcome !== null && items[1]?.last_outcome !== null;
  });
  const watched = await aPerson(service, ['operator'], { at: '/console/receivers' });
  const { page } = watched;
  const rows = page.locator('tbody tr');
  await rows.first().getByText(LOST).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Host',
    'Given up',
    'Waiting',
    'Success (day)',
    'Last answer',
  ]);
  await rows
    .first()
    .getByText(/^No connection, /)
    .waitFor();
  await expectFit(watched, 'receivers-given-up');
  for (const width of [1280, 1000, 761, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect({ width, broken: await broken(page), sideways: await sideways(page) }).toEqual({
      width,
      broken: [],
      sideways: 0,
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await rows.first().getByRole('button', { name: 'Deliver these 5 again' }).click();
  await page.getByText('5 deliveries match.').waitFor();
  await page.getByRole('button', { name: 'Deliver 5 again' }).click();
  await page.getByText('5 deliveries are on the way again.').waitFor();
  for (const id of ids)
    await until('a second attempt', async () => {
      const { items } = await service.client.requests.deliveries({ request_id: id });
      return items[0]?.attempts.length === 2;
    });
  expect(watched.complaints).toEqual([]);
  const operator = await aReader(service, ['operator']);
  (await operator.open(`/receivers/${LOST}`)).only('button', 'Deliver these', '5', 'again');
});

// Broke: `webhook_exhausted` next to “Given up”, ids in place of people, and words that broke in the middle on a phone.
test('deliveries say for whom, where to and why in words, whole at every width', async () => {
  const request = await service.aRequest({ callback_url: `http://${LOST}/verified` });
  await service.client.verificationOutput.submit(anOutput(request));
  await service.client.accounts.create({ name: 'Main Street Dental' });
  const watched = await aPerson(service, ['operator'], { at: '/console/deliveries?status=exhausted' });
  const { page } = watched;
  const row = page.locator('tbody tr').filter({ hasText: LOST }).first();
  await row.getByText('No connection').waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Payer or event',
    'Patient',
    'Clinic',
    'Host',
    'Status',
    'Attempts',
    'Next or why',
    expect.stringMatching(/^Accepted/),
  ]);
  expect(await row.innerText()).toMatch(/J\. D\./);
  expect(await page.getByRole('main').innerText()).not.toMatch(/webhook_|connection_failed/);
  await expectFit(watched, 'deliveries-given-up');
  for (const list of ['deliveries', 'requests'])
    for (const width of [1280, 1000, 761, 390, 320]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`/console/${list}`);
      await page.locator('tbody tr').first().waitFor();
      await page.setViewportSize({ width, height: 800 });
      expect({ list, width, broken: await broken(page), sideways: await sideways(page) }).toEqual({
        list,
        width,
        broken: [],
        sideways: 0,
      });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('tbody a').first().click();
  expect(watched.complaints).toEqual([]);
});
