import { readFileSync } from 'node:fs';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { aBatch } from './ground/a-batch.ts';
import { aPage, expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aProxy } from './ground/a-proxy.ts';
import { openLink } from './ground/open-link.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// A file of many requests is checked in the browser, sent, followed, and its rejected rows come back as a file.

// Its own service: its verifiers would find 10,000 rows in the queue of every other file.
useOwn();

const PLAN = 'Bluefield Dental PPO';
const HEADER =
  'reference,patient_info.subscriber_id,patient_info.dob,payer_info.name,provider_info.npi,provider_info.name,cpt_code_coverage';

const cells = (row: number, memberId = `W${row}`, dob = '1984-05-17') =>
  `visit-${row},${memberId},${dob},${PLAN},1234567893,Dr. Roe,D0120 D1110`;

/** Drops a file where a person would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const made = new DataTransfer();
    made.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return made;
  })()`);
  await page.getByText('Choose it, or drop it here').dispatchEvent('drop', { dataTransfer });
}

async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test('of 10,000 rows that are dropped, the 37 bad ones show before they are sent, and come back as a file', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/batches' });
  const { page } = watched;
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    cells(index + 1, index % 271 === 5 ? '' : undefined),
  );
  const text = `${[HEADER, ...rows].join('\r\n')}\r\n`;
  await page.getByRole('button', { name: 'New batch' }).click();
  await drop(page, 'visits.csv', text);
  await page.getByText('10,000 of 10,000 rows have faults.').waitFor();
  await page.getByText('Rows without a callback address need the one above').waitFor();
  await page.getByLabel('Callback address (optional)').fill('http://127.0.0.1:9/verified');
  await page.getByText('37 of 10,000 rows have faults.').waitFor();
  await page.getByRole('cell', { name: 'Member id' }).nth(9).waitFor();
  await page.getByLabel('Name (optional)').fill('Visits of November 21');
  await expectFit(watched, 'new-batch-faults');
  await page.getByRole('button', { name: 'Send 10,000 rows' }).click();
  await page.getByRole('heading', { name: 'Visits of November 21' }).waitFor({ timeout: 60_000 });
  await page.getByText('37 of 10,000 rows are done.').waitFor();
  const { name, text: rejected } = await saved(page, 'Download the rejected rows');
  expect(name).toBe('visits.csv.rejected.csv');
  const lines = rejected.trimEnd().split('\r\n');
  expect(lines).toHaveLength(38);
  expect(lines.slice(0, 2)).toEqual([
    `row,error,${HEADER}`,
    `6,patient_info.subscriber_id: Field required,${cells(6, '')}`,
  ]);
  await expectFit(watched, 'batch-sent');
  const { pathname } = new URL(page.url());
  // Sent again, it is the same batch.
  await page.goto('/console/batches/new');
  await page.getByLabel('Callback address (optional)').fill('http://127.0.0.1:9/verified');
  await drop(page, 'renamed.csv', text);
  await page.getByText('37 of 10,000 rows have faults.').waitFor();
  await page.getByRole('button', { name: 'Send 10,000 rows' }).click();
  await page.getByText('Nothing was sent twice.').waitFor({ timeout: 60_000 });
  expect(new URL(page.url()).pathname).toBe(pathname);
  expect(await service.client.batches.list({})).toMatchObject({
    items: [{ counters: { received: 10_000 } }],
  });
  expect(watched.complaints).toEqual([]);
}, 180_000);

test('a file that cannot be sent says why, and what a spreadsheet did is shown and not changed', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/batches/new' });
  const { page } = watched;
  await drop(page, 'visits.csv', 'reference;patient_info.subscriber_id\na;W1\n');
  await page.getByText('this file separates them by semicolons').waitFor();
  await drop(page, 'visits.csv', 'reference,patient,payer_info.name\na,Jane,b\n');
  await page.getByText('Column 2 of the header row should be one of').waitFor();
  await page.getByRole('row', { name: 'patient Not known Jane' }).waitFor();
  await expectFit(watched, 'new-batch-unknown-column');
  expect(await page.getByRole('button', { name: 'Send the file' }).isDisabled()).toBe(true);
  const template = await saved(page, 'Download the template');
  expect(template.text).toMatch(/^reference,patient_info.subscriber_id,/);
  await drop(page, 'visits.csv', `\uFEFF${[HEADER, cells(1, 'W1', '30819'), cells(1)].join('\n')}`);
  await page.getByText('It begins with a byte order mark').waitFor();
  await page.getByText('Date of birth in 1 row (1): a number in place of a date').waitFor();
  await page.getByText('The reference should be unique in the batch. Row 1 has the same reference').waitFor();
  await drop(page, 'visits.ndjson', '{"reference":"a","patient_info":{"subscriber_id":"W1"}}\n\n{"ref\n');
  await page.getByText('The line should be one JSON object').waitFor();
  await page.getByText('None would be accepted').waitFor();
  expect(await page.getByRole('button', { name: 'Send the file' }).isDisabled()).toBe(true);
  await page.getByRole('row', { name: 'patient_info.subscriber_id Member id W1' }).waitFor();
  await expectFit(watched, 'new-batch-ndjson');
  expect(watched.complaints).toEqual([]);
});

test('a connection that breaks leaves the form, and sending again makes the batch', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/batches/new' });
  const { page, context } = watched;
  await page.getByLabel('Callback address (optional)').fill('http://127.0.0.1:9/verified');
  await drop(page, 'two.csv', [HEADER, cells(1), cells(2)].join('\n'));
  await page.getByText('No faults were found.').waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send 2 rows' }).click();
  await page.getByText('it continues where it stopped').waitFor();
  await context.setOffline(false);
  await page.getByLabel('Name (optional)').fill('Büro');
  await page.getByRole('button', { name: 'Send 2 rows' }).click();
  await page.getByText('Value should be 1 to 100 printable characters').waitFor();
  await page.getByLabel('Name (optional)').fill('Office');
  await page.getByRole('button', { name: 'Send 2 rows' }).click();
  await page.getByRole('heading', { name: 'Office' }).waitFor();
  await page.getByText('0 of 2 rows are done.').waitFor();
  const { items } = await service.client.batches.list({});
  expect(items.filter(({ label }) => label === 'Office')).toHaveLength(1);
});

test('a file that was cut off is sent again from the same page, and each row is there once', async () => {
  const proxy = await aProxy(service.url);
  onTestFinished(proxy.stop);
  const { page, context } = await aPage(proxy.url);
  onTestFinished(() => context.close());
  await openLink(page, (await service.link(['requester'])).replace(service.url, proxy.url));
  await page.getByRole('banner').waitFor();
  await page.goto('/console/batches/new');
  await page.getByLabel('Callback address (optional)').fill('http://127.0.0.1:9/verified');
  await page.getByLabel('Name (optional)').fill('Cut off');
  const rows = Array.from({ length: 20_000 }, (_, index) => cells(index + 1));
  await drop(page, 'cut.csv', [HEADER, ...rows].join('\n'));
  await page.getByText('No faults were found.').waitFor();
  const find = async () =>
    (await service.client.batches.list({})).items.find(({ label }) => label === 'Cut off');
  const send = page.getByRole('button', { name: 'Send 20,000 rows' });
  await send.click();
  await until('some rows are stored', find);
  proxy.cut();
  await page.getByText('it continues where it stopped').waitFor();
  // What had come is stored first, and slowly while other calls come: on a busy machine for longer than a test waits.
  const { batch_id: id, state } = await until(
    'it is cut off',
    async () => {
      const found = await find();
      return found?.state === 'receiving' ? undefined : found;
    },
    90_000,
  );
  expect(state).toBe('incomplete');
  await send.click();
  await page.getByText('0 of 20,000 rows are done.').waitFor({ timeout: 60_000 });
  expect(new URL(page.url()).pathname).toBe(`/console/batches/${id}`);
  const own = (await service.client.batches.list({})).items.filter(({ label }) => label === 'Cut off');
  expect(own).toMatchObject([{ batch_id: id, counters: { received: 20_000, waiting: 20_000 } }]);
}, 240_000);

test('results are shown by outcome and saved without formulas, and the rest is canceled', async () => {
  const row = aRequest({ payer_info: { name: PLAN } });
  const batchId = await aBatch(service, 'Of a program', [
    { ...row, reference: '=1+1' },
    { ...row, reference: 'visit-2' },
    { reference: 'visit-3' },
  ]);
  const { client } = service;
  const [first] = (await client.requests.list({ limit: 2 })).items.toReversed();
  const request = await client.requests.get({ request_id: first?.request_id ?? '' });
  await client.verificationOutput.submit(anOutput(request));
  const watched = await aPerson(service, ['requester'], { at: `/console/batches/${batchId}` });
  const { page } = watched;
  await page.getByText('2 of 3 rows are done.').waitFor();
  await page.getByText('send the same file again').waitFor();
  await page.getByLabel('Outcome').selectOption('active');
  await page.getByRole('row', { name: '1 =1+1 Active' }).waitFor();
  expect(await page.getByRole('cell', { name: 'visit-2' }).count()).toBe(0);
  const { name, text } = await saved(page, 'Download as CSV');
  expect(name).toBe(`${batchId}.results.csv`);
  expect(text).toMatch(new RegExp(`^1,"'=1\\+1",${first?.request_id},active,`, 'm'));
  expect(text.trimEnd().split('\r\n')).toHaveLength(2);
  await page.getByRole('button', { name: 'Cancel the batch …' }).click();
  await expectFit(watched, 'batch-cancel');
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await page.getByText(/^Canceled by .+, 1 withdrawn$/).waitFor();
  await page.getByText('3 of 3 rows are done.').waitFor();
  await expectFit(watched, 'batch-ended');
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.getByRole('row', { name: /Of a program.* Canceled by .+, 1 withdrawn 3 1/ }).waitFor();
  expect(watched.complaints).toEqual([]);
});

test('a viewer reads a batch, and sends and cancels nothing', async () => {
  const batchId = await aBatch(service, 'Read only', [
    { ...aRequest({ payer_info: { name: PLAN } }), reference: 'visit-1' },
  ]);
  const viewer = await aReader(service, ['viewer']);
  const batch = (await viewer.open(`/batches/${batchId}`)).only('main');
  expect(batch.only('tr', 'visit-1').text).toMatch(/^1 visit-1 Waiting/);
  expect(batch.all('button').map(({ text }) => text)).not.toContain('Cancel the batch …');
  const batches = (await viewer.open('/batches')).only('main');
  expect(batches.text).toContain('Read only');
  expect(batches.all('button').map(({ text }) => text)).not.toContain('New batch');
});
