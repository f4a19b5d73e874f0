import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aPage, screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

// Broke: over a slow line the page was blank for 2.5 to 4 s, until the scripts had come and had been answered.
test('header and rows are on screen before any script, and give way to the page', async () => {
  const { page, context, complaints } = await aPerson(service, ['verifier']);
  const scripts = Promise.withResolvers<undefined>();
  const answers = Promise.withResolvers<undefined>();
  await context.route('**/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await context.route('**/sessions.me**', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await page.goto('/console/work', { waitUntil: 'commit' });
  const header = page.locator('#first header');
  const rows = page.locator('#first li');
  // Nothing is painted before the stylesheet is there, but elements already have the size that they have without it.
  const styled =
    "[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)";
  await header.waitFor();
  await expect.poll(() => page.evaluate(styled), { timeout: 15_000 }).toBe(true);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await header.getByText('Insurance Verification').waitFor();
    expect(await rows.count()).toBe(8);
    expect(await rows.last().boundingBox()).toMatchObject({ height: 32 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.screenshot({ path: join(screenshots, `first-sight-${width}.png`) });
  }
  // Neither does it go blank while the service is asked who is there.
  const asked = page.waitForRequest('**/sessions.me**');
  scripts.resolve(undefined);
  await asked;
  expect(await header.isVisible()).toBe(true);
  answers.resolve(undefined);
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  expect(await header.isVisible()).toBe(false);
  expect(await page.getByRole('banner').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('it gives way to the page of signing in as well', async () => {
  const { page, context, complaints } = await aPage(service.url);
  await page.goto('/console/sign-in');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  expect(await page.locator('#first').isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await context.close();
});
