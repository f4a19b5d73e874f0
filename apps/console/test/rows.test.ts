import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch } from './ground/a-batch.ts';
import { aHeldOutput } from './ground/a-held-output.ts';
import { expectFit, screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { useBrowser } from './ground/shared.ts';

// Somebody looks for one row among fifty: a name that takes three lines leaves seven on a screen.

useBrowser();

const LONG = 'Constantinopoulou-Fotheringham Family Dentistry and Orthodontics of the Greater Chicago Area';

let service: TestService;
/** Of something of each kind, with long names. */
const paths: string[] = [];
beforeAll(async () => {
  service = await startService({ WEBHOOK_RETRY_SCHEDULE: '0s' });
  const { account_id: accountId } = await service.client.accounts.create({ name: LONG });
  const { key } = await service.client.keys.create({
    account_id: accountId,
    scopes: ['requests'],
    name: LONG,
  });
  for (let made = 0; made < 6; made += 1) {
    const answer = await fetch(`${service.url.replace('localhost', '127.0.0.1')}/requests/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-key': key,
        'needed-by': new Date(Date.now() + (made + 1) * 3_600_000).toISOString(),
      },
      body: JSON.stringify({
        patient_info: { subscriber_id: `W12345678${made}`, dob: '1984-05-17', name: `Jane ${LONG}` },
        payer_info: { name: 'Bluefield Dental PPO' },
        provider_info: { npi: '1234567893', name: LONG, organization_name: LONG },
        callback_url: `https://webhooks.${'very-long-label.'.repeat(8)}example/verified`,
      }),
    });
    if (answer.status !== 200) throw new Error(`It was not made: ${await answer.text()}`);
    const request = (await answer.json()) as Parameters<typeof anOutput>[0] & { request_id: string };
    if (made === 1) paths.push(`/held/${await aHeldOutput(service, request)}`);
    else if (made < 4) await service.client.verificationOutput.submit(anOutput(request));
    else if (made === 4)
      await service.client.requests.close({ request_id: request.request_id, reason: 'withdrawn' });
  }
  const { items: deliveries } = await service.client.deliveries.list({ limit: 1 });
  const [delivery] = deliveries;
  paths.push(
    `/requests/${delivery?.request_id}`,
    `/requests/${delivery?.request_id}/proof`,
    `/deliveries/${delivery?.delivery_id}`,
    `/receivers/${delivery?.host}`,
  );
  const batchId = await aBatch(service, LONG.slice(0, 60), [
    { ...aRequest({ payer_info: { name: 'Bluefield Dental PPO' } }), reference: LONG.slice(0, 60) },
  ]);
  paths.push(`/batches/${batchId}`);
}, 120_000);
afterAll(() => service.stop());

const PLACES =
  'work,requests,requests/new,batches,batches/new,deliveries,receivers,held,reports,known-answers,known-answers/new,accounts,keys,staff,privacy,audit,audit/seals,settings,start';

// Broke: at 320 px, a phone or a zoom of 400 %, three pages had something at their side that was out of sight.
test('no page scrolls sideways at 320 px, with long names on it', async () => {
  const roles = ['operator', 'requester', 'verifier', 'admin', 'auditor', 'privacy'] as const;
  const { page } = await aPerson(service, [...roles], { at: null, name: LONG.slice(0, 80) });
  await page.setViewportSize({ width: 320, height: 800 });
  const wide: unknown[] = [];
  for (const path of [...PLACES.split(',').map((place) => `/${place}`), ...paths]) {
    await page.goto(`/console${path}`);
    await page.locator('main:not([aria-busy]) h1').first().waitFor();
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0);
    await page.screenshot({ path: `${screenshots}at-320${path.replaceAll('/', '-').slice(0, 24)}.png` });
    const { sideways } = await measure(page);
    if (sideways > 0) wide.push({ path, sideways, by: await widest(page) });
  }
  // The workbench, with a sheet, and the page of Work once its result is done.
  await page.goto('/console/work');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('combobox', { name: 'Benefits' }).selectOption('dental');
  await page.screenshot({ path: `${screenshots}at-320-workbench.png`, fullPage: true });
  if ((await measure(page)).sideways > 0) wide.push({ path: 'workbench', by: await widest(page) });
  await page.getByRole('radio', { name: 'Active', exact: true }).check();
  await page.getByLabel('Plan name').fill(LONG);
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The result is accepted').waitFor();
  if ((await measure(page)).sideways > 0) wide.push({ path: 'done', by: await widest(page) });
  expect(wide).toEqual([]);
}, 120_000);

/** What reaches out of the page at its side. */
const widest = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 4)
    .map((one) => one.outerHTML.slice(0, 160))`);

/** Pixels of the highest row, with its border, and how far the page scrolls sideways. */
const measure = (page: Page) =>
  page.evaluate<{ highest: number; sideways: number; count: number }>(`(() => {
    const rows = [...document.querySelectorAll('tbody tr')];
    return {
      highest: Math.max(0, ...rows.map((row) => row.getBoundingClientRect().height)),
      sideways: document.documentElement.scrollWidth - innerWidth,
      count: rows.length,
    };
  })()`);

test.each(['requests', 'deliveries', 'held', 'audit'])(
  'each row of %s is one line of 32 px, also with long names',
  async (list) => {
    const watched = await aPerson(service, ['operator', 'requester', 'admin', 'auditor'], {
      at: `/console/${list}`,
      name: LONG.slice(0, 80),
    });
    const { page } = watched;
    await page.locator('tbody tr').first().waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: `${screenshots}rows-${list}-1280.png` });
    expect(await measure(page)).toMatchObject({ sideways: 0 });
    const { highest, count } = await measure(page);
    expect(count).toBeGreaterThan(0);
    expect(highest).toBeLessThanOrEqual(33);
    for (const width of [1000, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `${screenshots}rows-${list}-${width}.png` });
      expect({ width, ...(await measure(page)) }).toMatchObject({ width, sideways: 0 });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectFit(watched, `rows-${list}`, /^Failed to load resource/);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${screenshots}rows-${list}-dark-1280.png` });
  },
  60_000,
);

test('a cut name is whole on pointing, and in the row that has the keyboard’s focus', async () => {
  const { page } = await aPerson(service, ['operator'], { at: '/console/requests' });
  const row = page
    .locator('tbody tr')
    .filter({ has: page.locator(`[title="${LONG}"]`) })
    .first();
  await row.waitFor();
  expect(await row.locator(`[title="${LONG}"]`).count()).toBe(1);
  const copy = row.getByRole('button', { name: 'Copy the request id' });
  await page.mouse.move(0, 0);
  expect(await copy.evaluate((button) => getComputedStyle(button).opacity)).toBe('0');
  await row.hover();
  expect(await copy.evaluate((button) => getComputedStyle(button).opacity)).toBe('1');
  await page.mouse.move(0, 0);
  while (!(await copy.evaluate((button) => button.matches(':focus')))) await page.keyboard.press('Tab');
  expect(await copy.evaluate((button) => getComputedStyle(button).opacity)).toBe('1');
  const cut = await row
    .locator(`[title="${LONG}"]`)
    .evaluate((name) => (name.closest('td')?.scrollWidth ?? 0) > (name.closest('td')?.clientWidth ?? 0));
  expect(cut).toBe(false);
  expect((await row.boundingBox())?.height).toBeGreaterThan(33);
});

// Broke: a page that was opened while the service was away stayed empty until somebody pressed Retry.
test('a page whose first reading had no answer loads by itself', async () => {
  const { page } = await aPerson(service, ['auditor'], { at: null });
  for (const operation of ['audit.list', 'sessions.me']) {
    const pattern = new RegExp(`/console/api/.*${operation}`);
    await page.route(pattern, (route) => route.abort());
    await page.goto('/console/audit');
    await page.getByText('The service does not answer.').first().waitFor();
    await page.unroute(pattern);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.getByText('The service does not answer.').count()).toBe(0);
  }
}, 60_000);
