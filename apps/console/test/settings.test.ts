import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { openLink } from './ground/open-link.ts';
import { openMenu } from './ground/open-menu.ts';
import { useBrowser } from './ground/shared.ts';

useBrowser();

// Its own service: a test measures a row of a list, and Next takes what waits longest.
let service: TestService;
beforeAll(async () => {
  service = await startService();
}, 120_000);
afterAll(() => service.stop());

/** The same person in another browser. */
async function elsewhere({ page }: WatchedPage, path: string): Promise<WatchedPage> {
  const staff_id = await page.evaluate<string>(
    `fetch('/console/api/sessions.me', { headers: { 'origin-secret': localStorage.getItem('origin-secret') } })
      .then((me) => me.json()).then(({ result }) => result.data.id)`,
  );
  const { link } = await service.client.staff.link({ staff_id });
  const other = await aPage(service.url);
  onTestFinished(() => other.context.close());
  await openLink(other.page, link?.path ?? '');
  await other.page.getByRole('banner').waitFor();
  await other.page.goto(path);
  return other;
}

const saved = ({ page }: WatchedPage, change: () => Promise<unknown>) =>
  Promise.all([page.waitForResponse((answer) => answer.url().endsWith('settings.set')), change()]);

test('zone and density hold on every page and in every browser, and UTC is one key away', async () => {
  const watched = await aPerson(service, ['requester']);
  const { page } = watched;
  await service.aRequest();
  await openMenu(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await saved(watched, () => page.getByLabel('Times are shown in').selectOption('Asia/Tokyo'));
  await page.getByText(/It is .* GMT\+9\./).waitFor();
  await saved(watched, () => page.getByLabel('Rows of lists').selectOption('compact'));
  await expectFit(watched, 'settings-changed');

  const other = await elsewhere(watched, '/console/requests');
  const cell = other.page.getByRole('cell').first();
  await other.page
    .getByText(/GMT\+9$/)
    .first()
    .waitFor();
  await expect.poll(async () => (await cell.boundingBox())?.height).toBeLessThan(32);
  await other.page.keyboard.press('u');
  await other.page.getByText(/ UTC$/).first().waitFor();
  await expectFit(other, 'requests-compact');
  expect(await other.page.evaluate('Object.keys(localStorage)')).toEqual(['origin-secret']);
});

test('a key is changed, a conflict is reported, and the default ones come back', async () => {
  const watched = await aPerson(service, ['verifier'], { at: '/console/settings' });
  const { page } = watched;
  const next = page.getByLabel('Next: take the next request');
  await next.press('f');
  await page.getByText('“f” is the key of “Could not verify”.').waitFor();
  expect(await next.inputValue()).toBe('n');
  await expectFit(watched, 'settings-conflict');
  await next.press('7');
  await page.getByText('The digits copy').waitFor();
  await saved(watched, () => next.press('w'));
  expect(await next.inputValue()).toBe('w');

  await service.aRequest();
  const other = await elsewhere(watched, '/console/work');
  await other.page.locator('button[aria-keyshortcuts="w"]').waitFor();
  await other.page.keyboard.press('n');
  await other.page.keyboard.press('w');
  await other.page.waitForURL(/\/work\/req_/); // the oldest, whichever test made it
  await other.page.getByRole('heading', { level: 1 }).click();
  await other.page.keyboard.press('?');
  await other.page.getByRole('dialog').getByText('w', { exact: true }).waitFor();
  await other.page.getByRole('button', { name: 'Close' }).click();

  await saved(watched, () => page.getByRole('button', { name: 'Default keys' }).click());
  expect(await next.inputValue()).toBe('n');
  await saved(watched, () => page.getByLabel('Keys of one letter').uncheck());
  expect(await next.isDisabled()).toBe(true);
  await page.goto('/console/work');
  await page.locator('button[aria-keyshortcuts="n"]').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Next', exact: true }).waitFor();
  expect(watched.complaints).toEqual([]);
});
