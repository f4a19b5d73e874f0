import { aBrowser } from '@insurance-verification/testing/a-browser';
import { until } from '@insurance-verification/testing/until';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';

// What a person hears beyond Active has a place of its own, by keys alone, and is not lost.

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), aBrowser()]);
}, 120_000);
afterAll(() => Promise.all([service.stop(), browser.close()]));

const aVerifier = () => aPerson(browser, service, ['verifier']);

/** A request on this page's bench. */
async function aBench(page: Page, name: string, codes: string[] = []): Promise<string> {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: `ID-${name}`, dob: '1984-05-17', name },
    cpt_code_coverage: codes,
  });
  onTestFinished(
    async () =>
      void (await service.client.requests
        .close({ request_id: id, reason: 'withdrawn' })
        .catch(() => undefined)),
  );
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').waitFor();
  return id;
}

/** The answers of the dental sheet's 25 rows, in their order; three were not given, one does not apply. */
const DENTAL =
  'i,70112,1,1500,380,50,0,0,20,50,-,,,2/y,2/18/26,2/y,,1/y,9/15/25,1/60m,3/14/24,14,6,12,y'.split(',');

test('25 rows take 120 keys at most and no pointer, and become benefits', { timeout: 90_000 }, async () => {
  const watched = await aVerifier();
  const { page } = watched;
  const id = await aBench(page, 'Dee Dental');
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  const pointersBefore = await watched.pointerCount();
  let count = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      count += key.split('+').length;
      await page.keyboard.press(key);
    }
  };
  await press('Space', 'Tab', 'P', 'P', 'O');
  // Past start, end, notes, the patient's difference, another coverage, the reference number and the note.
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await expect.poll(() => page.locator('select:focus').count()).toBe(1);
  await press('d');
  await page.getByLabel('Maximum a year').waitFor();
  count = 0;
  for (const answer of DENTAL) await press('Tab', ...answer.split(''));
  await expectFit(watched, 'workbench-sheet');
  await press('Control+Enter');
  expect(count).toBeLessThanOrEqual(120);
  expect(await watched.pointerCount()).toBe(pointersBefore);
  const found = await until('it is sent', async () => {
    const request = await service.client.requests.get({ request_id: id });
    return request.state === 'pending' ? null : service.client.requests.benefits({ request_id: id });
  });
  const [coverage] = found.coverages;
  expect(coverage).toMatchObject({ group_number: '70112', order: 'primary' });
  expect(coverage?.benefits).toHaveLength(19);
  expect(coverage?.benefits.every(({ network }) => network === 'in')).toBe(true);
  expect(coverage?.benefits.find(({ texts }) => texts.includes('Does not apply.'))).toMatchObject({
    kind: 'coinsurance',
    service: { types: [{ code: '38' }] },
    percent: null,
  });
  expect(coverage?.benefits[0]).toMatchObject({
    kind: 'maximum',
    amount: '1500.00',
    source: { kind: 'verifier', attempt: 1 },
  });
});

test(
  'a row that cannot be read is reported at its field, and a draft keeps the sheet',
  { timeout: 90_000 },
  async () => {
    const { page, context } = await aVerifier();
    const id = await aBench(page, 'Max Medical');
    await page.getByLabel('Active', { exact: true }).check();
    await page.getByRole('combobox', { name: 'Benefits' }).selectOption('medical');
    await page.getByLabel('Office visit: co-pay').fill('about 25');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Type dollars: 1500 or 25.50.').waitFor();
    await page.getByLabel('Office visit: co-pay').fill('$25');
    await page.getByText(/^Saved \d+ s ago$/).waitFor();
    await page.close();
    const next = await context.newPage();
    await next.goto(`/console/work/${id}`);
    await next.getByRole('button', { name: 'Take it' }).click();
    await expect.poll(() => next.getByLabel('Office visit: co-pay').inputValue()).toBe('$25');
    // Words of the portal are tied to the row.
    await next.getByLabel('Text of the portal').fill('Office copay $25');
    await next.getByLabel('Text of the portal').selectText();
    await next.getByLabel('The marked words answer').selectOption({ label: 'Office visit: co-pay' });
    await next.getByRole('button', { name: 'Tie', exact: true }).click();
    await next.keyboard.press('Control+Enter');
    const found = await until('it is sent', async () => {
      const request = await service.client.requests.get({ request_id: id });
      return request.state === 'pending' ? null : service.client.requests.benefits({ request_id: id });
    });
    expect(found.coverages[0]?.benefits).toMatchObject([
      { kind: 'copayment', amount: '25.00', source: { kind: 'verifier', quote: 'Office copay $25' } },
    ]);
  },
);

// Breaks if a desk reads dashes for what a person heard, or finds the refused crown below two pages of limits.
test('a refused code comes first, and a limit has its last visit, on the page and on the proof', async () => {
  const { page } = await aVerifier();
  const id = await aBench(page, 'Ren Refused', ['D2750']);
  await page.getByLabel('Active', { exact: true }).check();
  await page.getByRole('group', { name: 'Code D2750' }).getByLabel('Not covered').check();
  await page.getByLabel('Notes for the provider').fill('Two cleanings a year.');
  await page.getByRole('combobox', { name: 'Benefits' }).selectOption('dental');
  for (const [label, answer] of [
    ['Maximum a year', '1500'],
    ['Orthodontic: up to age', '19'],
    ['Exam: how often', '1/6m'],
    ['Cleaning: how often', '2/y'],
    ['Cleaning: last one', '20260304'],
    ['Bitewings: last one', '20250915'],
    ['Waiting period, basic: months', '1'],
    ['Missing-tooth clause: y or n', 'y'],
  ] as const)
    await page.getByLabel(label).fill(answer);
  await page.keyboard.press('Control+Enter');
  await page.getByText('The result is accepted').waitFor();

  const { insurance_data: data } = await service.client.requests.result({ request_id: id });
  expect(data[0]?.notes).toBe('Not covered: D2750.\nTwo cleanings a year.');
  const { coverages } = await service.client.requests.benefits({ request_id: id });
  expect(coverages[0]?.summary.procedures[0]?.network_not_said?.cover).toMatchObject({
    value: 'not_covered',
  });

  const watched = await aPerson(browser, service, ['operator']);
  const looked = watched.page;
  for (const [address, name] of [
    [`/console/requests/${id}`, 'request-of-a-sheet'],
    [`/console/requests/${id}/proof`, 'proof-of-a-sheet'],
  ] as const) {
    await looked.goto(address);
    await looked
      .getByRole('button', { name: /^Show the (benefits|patient)/ })
      .first()
      .click();
    await looked.getByText('Cleaning D1110').first().waitFor();
    const terms = await looked.locator('dl > div').allInnerTexts();
    const lines = terms.map((term) => term.replaceAll(/\s+/g, ' '));
    expect(lines).toContain('D2750 (network not said) not covered');
    expect(lines).toContain('Cleaning D1110 (network not said) 2 a calendar year, last 2026-03-04');
    expect(lines).toContain('Exam D0120 (network not said) 1 in 6 months');
    expect(lines).toContain('Bitewings D0274 (network not said) last 2025-09-15');
    expect(lines.join('\n')).toMatch(/Waiting period, Dental care .* 1 month$/m);
    const text = await looked.getByRole('main').innerText();
    expect(text.indexOf('D2750 (')).toBeLessThan(text.indexOf('Limits'));
    expect(text).not.toMatch(/service type 30|\b1 (services|visits|months)\b/);
    for (const line of lines.filter((one) => one.includes('network not said')))
      expect(line).not.toMatch(/–$/);
    await expectFit(watched, name);
  }
});
