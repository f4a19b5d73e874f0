import { aBrowser } from '@insurance-verification/testing/a-browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { absent, atTheBench } from './ground/at-the-bench.ts';

// Nobody at the workbench: the page's clock runs on, minute by minute, and the service's does not.

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), aBrowser()]);
}, 120_000);
afterAll(() => Promise.all([service.stop(), browser.close()]));

/** One who pressed a key just now. */
async function aVerifier(): Promise<WatchedPage> {
  const watched = await atTheBench(browser, service);
  await watched.page.getByLabel('Plan name').press('Shift');
  return watched;
}

test('after five minutes without a key the page asks, aloud, and any key answers', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  const warning = page.getByRole('alert').filter({ hasText: 'Are you still there?' });
  await absent(page, 4);
  expect(await warning.count()).toBe(0);
  await absent(page, 1);
  await warning.waitFor();
  // Who listens hears it once, without a number that changes each second; who looks sees it count down.
  expect(await warning.getByText(/^in \d+ s$/).getAttribute('aria-hidden')).toBe('true');
  await warning.getByText('in a minute').waitFor();
  const secondsLeft = async () => Number(/\d+/.exec(await warning.getByText(/^in \d+ s$/).innerText())?.[0]);
  await expectFit(watched, 'work-absent');
  const before = await secondsLeft();
  expect(before).toBeLessThanOrEqual(60);
  await page.clock.fastForward(10_000);
  await expect.poll(secondsLeft).toBeLessThanOrEqual(before - 10);
  await page.keyboard.press('Shift');
  await warning.waitFor({ state: 'detached' });
  await page.getByText('yours, renewed while you work').waitFor();
});

test('on a call nothing is asked, lease and session last, and colleagues see why', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('h');
  await page.getByText('On a call: kept without a key pressed').waitFor();
  const clock = page.getByRole('timer');
  await expect.poll(() => clock.innerText()).toMatch(/^(?:90:00|89:\d\d)$/);
  await absent(page, 7);
  expect(await page.getByText('Are you still there?').count()).toBe(0);
  await expectFit(watched, 'work-on-call');
  const me = await page.evaluate<{ result: { data: { session: { idle_ends_at: string } } } }>(
    `fetch('/console/api/sessions.me', {
      headers: { background: '1', 'origin-secret': localStorage.getItem('origin-secret') },
    }).then((answer) => answer.json())`,
  );
  expect(Date.parse(me.result.data.session.idle_ends_at) - Date.now()).toBeGreaterThan(88 * 60_000);

  const colleague = await aPerson(browser, service, ['verifier']);
  await colleague.page.getByRole('cell', { name: /on a call$/ }).waitFor();
  await page.keyboard.press('h');
  await page.getByText('yours, renewed while you work').waitFor();
  await colleague.page.getByRole('cell', { name: /on a call$/ }).waitFor({ state: 'detached' });
});
