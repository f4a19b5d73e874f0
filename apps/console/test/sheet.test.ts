import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

// What a person hears beyond Active has a place of its own, by keys alone, and is not lost.

useShared();

const aVerifier = () => aPerson(service, ['verifier'], { at: null });

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
const DENTAL = 'i,70112,1,1500,380,50,0,0,20,50,-,,,2/y,3/4/26,2/y,,1/y,9/5/25,1/60m,3/4/24,14,6,12,y'.split(
  ',',
);

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
  // Past start, end, notes, the patient's difference and another coverage.
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await expect.poll(() => page.locator('select:focus').count()).toBe(1);
  await press('d');
  await page.getByLabel('Maximum a year').waitFor();
  count = 0;
  for (const answer of DENTAL) await press('Tab', ...answer.split(''));
  // Each row echoes what it read, in 40 px, two of them side by side: a frequency with its last visit.
  const echoes = await page.locator('output').allInnerTexts();
  for (const echo of [
    'in network',
    'primary payer',
    '$1,500',
    '20 %',
    'Does not apply',
    '2 a calendar year',
    'Mar 4, 2026',
    '1 in 60 months',
    'up to age 14',
    '6 months',
    'Yes',
    'Not answered',
  ])
    expect(echoes).toContain(echo);
  const boxOf = async (label: string) => {
    const box = await page.getByLabel(label).boundingBox();
    if (!box) throw new Error(`${label} is not on the page.`);
    return box;
  };
  expect((await boxOf('Maximum, used')).y - (await boxOf('Group number')).y).toBeLessThanOrEqual(80);
  expect((await boxOf('Cleaning: how often')).y).toBe((await boxOf('Cleaning: last one')).y);
  expect((await boxOf('Reference number')).y).toBeGreaterThan((await boxOf('Missing-tooth clause')).y);
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

test('a sheet begins with what was asked, and unfolds the rest by key', { timeout: 60_000 }, async () => {
  const watched = await aVerifier();
  const { page } = watched;
  await aBench(page, 'Cleo Cleaning', ['D1110']);
  await page.getByRole('combobox', { name: 'Benefits' }).selectOption('dental');
  await page.getByLabel('Cleaning: how often').waitFor();
  const orthodontic = page.getByLabel('Orthodontic: up to age');
  expect(await orthodontic.isVisible()).toBe(false);
  await expectFit(watched, 'workbench-sheet-asked');
  await page.getByText(/^\d+ more questions$/).focus();
  await page.keyboard.press('Enter');
  await orthodontic.fill('19');
  // No label takes two lines.
  const heights = await page
    .locator('section[aria-label=Benefits] label[for*=sheet-]')
    .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(20);
  expect(Math.max(...heights)).toBeLessThan(24);
  // A folded row with a fault would be a result that is not sent, and no one sees why.
  await page.getByText(/^\d+ more questions$/).click();
  await orthodontic.waitFor();
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
  await page.getByText(/^\d+ more questions$/).click();
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

  const requester = await aReader(service, ['requester']);
  for (const path of [`/requests/${id}`, `/requests/${id}/proof`]) {
    const main = (await requester.open(path)).only('main');
    const lines = main.all('div').flatMap(({ markup, text }) => (/^<div[^>]*><dt/.test(markup) ? text : []));
    expect(lines).toContain('D2750* not covered');
    expect(main.text.split('did not say in which network')).toHaveLength(2);
    expect(lines).toContain('Cleaning D1110* 2 a calendar year, last 2026-03-04');
    expect(lines).toContain('Exam D0120* 1 in 6 months');
    expect(lines).toContain('Bitewings D0274* last 2025-09-15');
    expect(lines.join('\n')).toMatch(/Waiting period, Dental care\*.* 1 month$/m);
    expect(main.text.indexOf('D2750*')).toBeLessThan(main.text.indexOf('Limits'));
    expect(main.text).not.toMatch(/service type 30|\b1 (services|visits|months)\b/);
    for (const line of lines.filter((one) => one.includes('*'))) expect(line).not.toMatch(/–$/);
  }
});

// Breaks if a clinic is told that a code is not covered, and twice a year.
test(
  'a code that is not covered and has a limit is asked about, each way answers it',
  { timeout: 90_000 },
  async () => {
    const watched = await aVerifier();
    const { page } = watched;
    const id = await aBench(page, 'Con Tradict', ['D1110', 'D0120']);
    await page.getByLabel('Active', { exact: true }).check();
    for (const code of ['D1110', 'D0120'])
      await page
        .getByRole('group', { name: `Code ${code}` })
        .getByLabel('Not covered')
        .check();
    await page.getByRole('combobox', { name: 'Benefits' }).selectOption('dental');
    await page.getByLabel('Cleaning: how often').fill('2/y');
    await page.getByLabel('Cleaning: last one').fill('3/4/26');
    await page.getByLabel('Exam: how often').fill('2/y');
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByText('D1110 is answered Not covered.').first().waitFor();
    await expectFit(watched, 'workbench-contradiction');
    const question = (code: string) => page.getByRole('group', { name: `${code}: covered or not?` });
    await question('D1110').getByRole('button', { name: 'It is not covered' }).click();
    expect(await page.getByLabel('Cleaning: last one').inputValue()).toBe('');
    await question('D0120').getByRole('button', { name: 'It is covered' }).click();
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByText('The result is accepted').waitFor();
    const [entry] = (await service.client.requests.result({ request_id: id })).insurance_data;
    expect(entry).toMatchObject({
      notes: 'Not covered: D1110.',
      plan_info: { cpt_code_coverage: ['D0120'] },
    });
  },
);
