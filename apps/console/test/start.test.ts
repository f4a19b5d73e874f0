import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { type TestService } from './ground/a-service.ts';
import { openLink } from './ground/open-link.ts';
import { service, useOwn } from './ground/shared.ts';

// The first hour: what to do first, one request watched from its click to its webhook, and the people who come after.

// Its own service: it begins empty.
useOwn();

const signedIn = (roles: Parameters<TestService['link']>[0]) => aPerson(service, roles);

test('the first page says what to do first, and one click plays a request to its delivery', async () => {
  const watched = await signedIn(['requester', 'verifier', 'operator', 'admin']);
  const { page } = watched;
  await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Play a demo request' }).click();
  await page.getByText('This service plays no demo').waitFor();
  watched.excuse(404);
  await expectFit(watched, 'start-no-demo');
  await service.client.accounts.create({ name: 'test', mode: 'test' });
  await page.getByRole('button', { name: 'Play a demo request' }).click();
  // Nobody touches the page from here on.
  await page.waitForURL(/\/console\/requests\/req_/);
  await page.getByText('Verified', { exact: true }).waitFor();
  await page.getByText('Sandbox Plan').waitFor();
  await page.getByText('Accepted by the receiver').waitFor();
  await page.getByText('What the receiver answered').click();
  await page.getByText('checked the signature: it is right').waitFor();
  expect(watched.complaints).toEqual([]);
  await expectFit(watched, 'start-demo-request');
});

// Breaks when a newcomer sees empty pages, or cannot get rid of what filled them.
test('a demo day fills the pages with three invented clinics, and is gone with one click', async () => {
  const watched = await signedIn(['requester', 'verifier', 'operator', 'admin', 'auditor']);
  const { page } = watched;
  await page.goto('/console/start');
  await page.getByRole('button', { name: 'Play a demo day' }).click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await page.getByText('A demo day: three invented clinics').waitFor();
  await page.getByText('Bluefield Dental PPO').first().waitFor();
  await expectFit(watched, 'demo-work');
  for (const [path, text] of [
    ['/requests', 'Pending'],
    ['/held', 'A different result'],
    ['/deliveries?status=exhausted', 'Given up'],
    ['/reports', 'Requests'],
    ['/audit', /requests\.create|request/],
  ] as const) {
    await page.goto(`/console${path}`);
    await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();
  }
  await page.getByRole('button', { name: 'Delete the demo day' }).click();
  await page.getByText('A demo day: three invented clinics').waitFor({ state: 'detached' });
  await page.goto('/console/held');
  await page.getByText('Nothing is held').waitFor();
  expect(watched.complaints).toEqual([]);
});

test('once the account has a request, one’s work comes first', async () => {
  await service.aRequest();
  const { page } = await signedIn(['requester', 'verifier', 'operator']);
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/work');
});

test('a person is added with a link of their own, gets another role, and is ended with their session', async () => {
  const admin = await signedIn(['admin']);
  const { page } = admin;
  await page.getByRole('link', { name: 'Staff' }).click();
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Name').fill('Ada Jones');
  await page.getByRole('checkbox', { name: /^verifier/ }).check();
  await expectFit(admin, 'staff-add');
  await page.getByRole('button', { name: 'Add the person' }).click();
  const link = await page
    .getByRole('dialog')
    .getByText(/^http:.+#/)
    .innerText();
  await expectFit(admin, 'staff-link');
  await page.getByRole('button', { name: 'I have it' }).click();

  const ada = await aPage(service.url);
  onTestFinished(() => ada.context.close());
  await openLink(ada.page, link);
  await ada.page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();

  const people = page.getByRole('table', { name: 'People, newest first' });
  const row = people.getByRole('row', { name: /Ada Jones/ });
  const sessions = page.getByRole('table', { name: 'Sessions, newest first' });
  await sessions.getByRole('row', { name: /Ada Jones/ }).waitFor(); // she came by an event
  await row.getByRole('button', { name: 'Change …' }).click();
  await page.getByRole('checkbox', { name: /^auditor/ }).check();
  await expectFit(admin, 'staff-change');
  await page.getByRole('button', { name: 'Save the roles' }).click();
  await row.getByText('verifier, auditor').waitFor();
  // What she may do follows on her open page.
  await ada.page.getByRole('link', { name: 'Audit' }).waitFor();

  await sessions
    .getByRole('row', { name: /Ada Jones/ })
    .getByRole('button', { name: 'End' })
    .click();
  await ada.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await row.getByRole('button', { name: 'Change …' }).click();
  await page.getByRole('button', { name: 'End access …' }).click();
  await expectFit(admin, 'staff-end');
  await page.getByRole('button', { name: 'End their access' }).click();
  await row.getByText('Ended').waitFor();
  expect(admin.complaints).toEqual([]);
});
