import { anOutput } from '@insurance-verification/testing/an-output';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aHeldOutput } from './ground/a-held-output.ts';
import { expectFit, screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { useBrowser } from './ground/shared.ts';

// Somebody looks for one row among fifty: a name that takes three lines leaves seven on a screen.

useBrowser();

const LONG = 'Constantinopoulou-Fotheringham Family Dentistry and Orthodontics of the Greater Chicago Area';

let service: TestService;
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
    expect(await answer.clone().text()).toContain('pending');
    const request = (await answer.json()) as Parameters<typeof anOutput>[0] & { request_id: string };
    if (made === 1) await aHeldOutput(service, request);
    else if (made < 4) await service.client.verificationOutput.submit(anOutput(request));
    else if (made === 4)
      await service.client.requests.close({ request_id: request.request_id, reason: 'withdrawn' });
  }
}, 120_000);
afterAll(() => service.stop());

/** Pixels of the highest row, with its border, and how far the page scrolls sideways. */
const measure = (page: Page) =>
  page.evaluate<{ highest: number; sideways: number; count: number }>(`(() => {
    const rows = [...document.querySelectorAll('tbody tr')];
    return {
      highest: Math.max(...rows.map((row) => row.getBoundingClientRect().height)),
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
  const row = page.locator('tbody tr').first();
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
