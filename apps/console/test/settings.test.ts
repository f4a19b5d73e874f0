import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { openLink } from './ground/open-link.ts';
import { openMenu } from './ground/open-menu.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: a test measures a row of a list, and Next takes what waits longest.
useOwn();

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

// WCAG 2.1.4: a person who speaks to the computer must be able to switch single letters off.
test('keys of one letter are listed, and switched off in every browser', async () => {
  const watched = await aPerson(service, ['verifier'], { at: '/console/work' });
  const { page } = watched;
  await service.aRequest();
  await page.locator('button[aria-keyshortcuts="n"]').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('n', { exact: true }).waitFor();
  await saved(watched, () => page.getByLabel('Keys of one letter').uncheck());
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('button[aria-keyshortcuts="n"]').waitFor({ state: 'detached' });

  const other = await elsewhere(watched, '/console/settings');
  await expect.poll(() => other.page.getByLabel('Keys of one letter').isChecked()).toBe(false);
  await other.page.getByRole('heading', { name: 'Keys', exact: true }).click();
  await other.page.keyboard.press('?');
  expect(await other.page.getByRole('dialog').count()).toBe(0);
  await saved(other, () => other.page.getByLabel('Keys of one letter').check());
  await other.page.goto('/console/work');
  await other.page.locator('button[aria-keyshortcuts="n"]').waitFor();
  await other.page.keyboard.press('n');
  await other.page.waitForURL(/\/work\/req_/); // the oldest, whichever test made it
  expect(other.complaints).toEqual([]);
});
