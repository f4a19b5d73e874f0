import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit, linkTo, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { type TestService } from './ground/a-service.ts';
import { openMenu } from './ground/open-menu.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// What people do on the pages; what each shows in each of its states is the table's.

// Its own service: a test measures a row of a list, which is as wide as its rows need.
useOwn();

type Roles = Parameters<TestService['link']>[0];

const signedIn = (roles: Roles, at?: string) => aPerson(service, roles, { at });

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('everybody begins at the first page of their role, and an address that leads nowhere says that', async () => {
  const watched = await signedIn(['privacy']);
  await heading(watched, 'Privacy');
  await watched.page.goto('/console/nowhere');
  await heading(watched, 'No such page');
  await expectFit(watched, 'no-such-page');
});

test('a request is found in the list, and its page shows what happened to it', async () => {
  const request = await service.aRequest({ cpt_code_coverage: ['D0120'] });
  const { request_id: id } = request;
  const coverage = aCoverage(request, {
    plan_info: { plan_name: 'Dental PPO Plus', eligibility_status: 'Active' },
  });
  await service.client.verificationOutput.submit(anOutput(request, { insurance_data: [coverage] }));
  const requester = await aReader(service, ['requester']);
  const link = `/requests/${id}"`;
  (await requester.open('/requests')).only('tr', link);
  expect((await requester.open('/requests?state=pending')).only('main').markup).not.toContain(link);
  const page = (await requester.open(`/requests/${id}`)).only('main');
  expect(page.text).toContain('Dental PPO Plus');
  expect(page.text).toContain('No connection');
});

// Broke: a date with its year left the last column a letter's width, and a row was as high as the screen.
test('next to a date of another year there is room for the reason', async () => {
  const request = await service.aRequest();
  const { request_id: id } = request;
  await service.client.verificationOutput.submit(
    anOutput(request, { state: 'error_verifying', error_reason: 'member_not_found', insurance_data: [] }),
  );
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`update request set received_at = received_at - interval '400 days' where id = $1`, [
    id,
  ]);
  const watched = await signedIn(['operator'], '/console/requests');
  watched.excuse(403); // an operator's first page asks for a list that is not theirs
  const { page } = watched;
  const row = page.getByRole('row').filter({ has: linkTo(page, id) });
  await row.getByText(/, \d{4}, \d+:\d\d [AP]M/).waitFor();
  const { height = Infinity } = (await row.boundingBox()) ?? {};
  expect(height).toBeLessThanOrEqual(48);
  const { x = Infinity, width = 0 } = (await row.getByRole('cell').last().boundingBox()) ?? {};
  expect(width).toBeGreaterThanOrEqual(88);
  const table = await page.getByRole('table', { name: 'Requests, newest first' }).boundingBox();
  expect(x + width).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
  await expectFit(watched, 'requests-another-year');
});

test('a request is closed after a question, and the page says so', async () => {
  const watched = await signedIn(['requester', 'operator']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await page.goto(`/console/requests/${id}`);
  await page.getByRole('button', { name: 'Close …' }).click();
  await page.getByText('This cannot be undone').waitFor();
  await expectFit(watched, 'request-close');
  await page.getByRole('button', { name: 'Close the request' }).click();
  await page.getByText('withdrawn', { exact: true }).waitFor();
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ error_reason: 'withdrawn' });
  expect(watched.complaints).toEqual([]);
});

test('the chosen zone is in every address, whose link shows the same times', async () => {
  const watched = await signedIn(['requester']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await linkTo(page, id).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('u');
  await page.waitForURL(/\/requests\?zone=UTC$/);
  await page.getByLabel('State').selectOption('Pending');
  await page.waitForURL(/zone=UTC&state=pending$/);
  await linkTo(page, id).click();
  await page.waitForURL(new RegExp(`${id}\\?zone=UTC$`));
  const other = await watched.context.newPage();
  await other.goto('/console/requests?zone=Asia%2FKolkata');
  await other
    .getByText(/GMT\+5:30$/)
    .first()
    .waitFor();
  await other.goto('/console/requests?zone=No%2FSuch');
  await linkTo(other, id).waitFor();
  await expect.poll(() => other.url()).not.toContain('zone');
  await page.keyboard.press('u');
  await expect.poll(() => page.url()).not.toContain('zone');
  expect(watched.complaints).toEqual([]);
});

// Broke: the page went white where an update had taken the files away that it asked for next.
test('a page whose files an update has taken away says so, and comes when it is reloaded', async () => {
  const { page } = await signedIn(['requester']);
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.route('**/assets/deliveries-page-*', (route) => route.fulfill({ status: 404 }));
  await page.route('**/assets/keys-dialog-*', (route) => route.fulfill({ status: 404 }));
  await openMenu(page);
  await page.getByRole('button', { name: /^Keys/ }).click();
  await page
    .getByRole('dialog', { name: 'Not loaded' })
    .getByText('The service may have been updated')
    .waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('heading', { name: 'Not loaded', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.goBack();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load it again' }).click();
  await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/deliveries');
});

// Broke: a filter that changed nothing was a step, and Back seemed to do nothing.
test('what is on screen already is no step that Back must take', async () => {
  const { page } = await signedIn(['requester']);
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByLabel('Host').fill('nobody.example');
  for (let press = 0; press < 3; press += 1) await page.getByLabel('Host').press('Enter');
  await page.waitForURL(/host=nobody.example$/);
  await page.goBack();
  await page.waitForURL(/deliveries$/);
  await page.goBack();
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/requests');
});

test('the keys are listed, and those of one letter can be switched off', async () => {
  const watched = await signedIn(['verifier']);
  const { page } = watched;
  await heading(watched, 'Work');
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await expectFit(watched, 'keys');
  await page.getByLabel('Keys of one letter').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('u');
  await openMenu(page);
  expect(await page.getByRole('button', { name: 'UTC' }).getAttribute('aria-pressed')).toBe('false');
});
