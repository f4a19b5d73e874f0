import { readFileSync } from 'node:fs';
import { monthOfFacts } from '@insurance-verification/store/testing/month-of-facts';
import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { type TestService } from './ground/a-service.ts';
import { openLink } from './ground/open-link.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// The plots in every state: with nothing, with one hour, with a month; as a picture, a table and a file.

// Its own service: the tests count all there is.
useOwn();

async function reports(roles: Parameters<TestService['link']>[0]): Promise<WatchedPage> {
  const watched = await aPerson(service, roles);
  const { page } = watched;
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  return watched;
}

const card = ({ page }: WatchedPage, name: string) => page.getByRole('article', { name, exact: true });

test('without data each plot says so, and operators see two more', async () => {
  const page = (await (await aReader(service, ['requester'])).open('/reports')).only('main');
  for (const sentence of [
    'No request came in or ended in this time.',
    'Nothing was timed in this time.',
    'Nothing waits.',
    'No payer was asked over X12',
    'No request ended without',
    'Nothing was sent',
  ])
    expect(page.text).toContain(sentence);
  expect(page.all('h2')).toHaveLength(9);
  expect(page.markup).not.toContain('role="slider"'); // no plot, and so no canvas
  const ofOperators = (await (await aReader(service, ['operator'])).open('/reports')).only('main');
  expect(ofOperators.text).toContain('Nothing is held now.');
  expect(ofOperators.text).toContain('No payer was asked over X12 this month.');
  expect(ofOperators.all('h2')).toHaveLength(11);
});

test('of one request each sentence is about one', async () => {
  const request = await service.aRequest();
  const said = async () => (await (await aReader(service, ['requester'])).open('/reports')).only('main').text;
  expect(await said()).toContain('1 request came in; none has ended yet.');
  expect(await said()).toMatch(/1 request waits, for \d+ s\./);
  await service.client.verificationOutput.submit(anOutput(request));
  await expect.poll(said).toContain('1 request came in; the request that ended was verified.');
  await expect.poll(said).toMatch(/The only attempt (?:succeeded|failed)\./);
});

test('one hour is a point, read with the arrow keys, as a table, and as a file', async () => {
  const request = await service.aRequest();
  await service.client.verificationOutput.submit(
    anOutput(request, { state: 'error_verifying', error_reason: 'member_not_found', insurance_data: [] }),
  );
  await service.aRequest();
  const watched = await reports(['requester']);
  const { page } = watched;
  await page.getByText('3 requests came in; 1 of the 2 that ended was verified (50 %).').waitFor();
  await page.getByText('1 could not be verified: member not found, for the party with').waitFor();
  await page.getByText(/^1 request waits, for/).waitFor();
  await card(watched, 'Requests by outcome').getByText('This hour so far').waitFor();
  const plot = page.getByRole('slider', { name: 'Requests by outcome: choose a step' });
  await plot.focus();
  await page.keyboard.press('End');
  expect(await plot.getAttribute('aria-valuetext')).toContain(
    'Received 3, Verified 1, Not verified 1, Corrected 0',
  );
  // The axis begins with the first hour that has anything: the hours before are no steps.
  await page.keyboard.press('ArrowLeft');
  expect(await plot.getAttribute('aria-valuetext')).toContain('Received 3');
  await page.keyboard.press('Home');
  expect(await plot.getAttribute('aria-valuenow')).toBe('0');
  await card(watched, 'Waiting now').getByText('Bluefield Dental PPO').waitFor();
  expect(await page.getByText('payer-1', { exact: true }).count()).toBe(0);
  await expectFit(watched, 'reports-one-hour');
  const requests = card(watched, 'Requests by outcome');
  await requests.getByRole('button', { name: 'Table' }).click();
  await requests.getByRole('columnheader', { name: 'Not verified' }).waitFor();
  expect(await requests.getByRole('row').count()).toBe(2);
  await expectFit(watched, 'reports-table');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    requests.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('requests-by-outcome.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect([lines.length, lines[0], lines.at(-1)?.replace(/^[^,]+/, '')]).toEqual([
    2,
    'From,Received,Verified,Not verified,Corrected',
    ',3,1,1,0',
  ]);
});

test(
  'a month of ten million requests is on the page, in every look of it',
  { timeout: 120_000 },
  async () => {
    await monthOfFacts(service.databaseUrl, {
      accountIds: [],
      payerCount: 4,
      hourCount: 744,
      requestCount: 10_000_000 / 744,
    });
    const watched = await reports(['operator']);
    const { page } = watched;
    await page.getByLabel('Time', { exact: true }).selectOption('Last 31 days');
    await page.getByText(/^(9,9|10,0)\d\d,\d{3} requests came in/).waitFor();
    expect(page.url()).toContain('span=31d');
    await page.getByText(/every payer answered nine of ten within 20 seconds/).waitFor();
    await page.getByText(/% of .* attempts succeeded/).waitFor();
    await expect.poll(() => page.locator('canvas').count()).toBe(5);
    await expectFit(watched, 'reports-month');
    const result = card(watched, 'Time to result');
    await result.getByLabel('Channel').selectOption('Phone, by a person');
    await result.getByText(/^Phone, by a person: half of/).waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    await expectFit(watched, 'reports-forced-colours');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.getByLabel('Account').fill('acct_01jdabcdefghjkmnpqrstvwxyz');
    const cards = await page.getByRole('article').count();
    await expect.poll(() => page.getByText('There is no such report').count()).toBe(cards);
    watched.excuse(404);
    await expectFit(watched, 'reports-unknown-account');
  },
);

// Broke: uPlot did not load where the browser's language is no tag, and took the page with it.
test('in a browser that was started without a locale the plots are drawn', async () => {
  const watched = await aPage(service.url);
  onTestFinished(() => watched.context.close());
  const { page } = watched;
  await page.addInitScript(
    `Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })`,
  );
  await openLink(page, await service.link(['operator']));
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect.poll(() => page.locator('canvas').count()).toBeGreaterThan(0);
  watched.excuse(403);
  expect(watched.complaints).toEqual([]);
});
