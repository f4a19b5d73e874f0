import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { useBrowser } from './ground/shared.ts';

// At Skipping Plan agents come first, and nobody works as one: Next takes what waits for them.
const PAYERS = ['Skipping Plan', 'Portal Plan', 'Empty Plan', 'Phone Plan'].map((name, index) => ({
  id: `payer-${index + 1}`,
  name,
  channels: {
    'Skipping Plan': ['agent_web_portal', 'manual_web_portal', 'manual_phone_call'],
    'Phone Plan': ['manual_phone_call'],
  }[name] ?? ['manual_web_portal', 'manual_phone_call'],
  skip_unattended: true,
}));

useBrowser();

// Its own service: it has other payers.
let service: TestService;
beforeAll(async () => {
  const file = join(aFolder(), 'payers.json');
  writeFileSync(file, JSON.stringify({ payers: PAYERS }));
  service = await startService({ PAYERS_FILE: file });
}, 120_000);
afterAll(() => service.stop());

/** Each row's payer, how many wait, and where. */
async function rowsOf(page: Page): Promise<(string | undefined)[][]> {
  const rows = page
    .getByRole('table', { name: 'What waits for a person, by payer, what is late first' })
    .locator('tbody tr');
  return (await rowsText(rows)).map((cells) => [cells[0], cells[1], cells[4]]);
}

const rowsText = async (rows: Locator) =>
  (await rows.allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()));

// Breaks if Work says that nothing waits while Next has hundreds, or a run wanders off to a payer whose portal is not open.
test('Work counts what Next would give, a row takes its payer’s next, and its run stays there until it is empty', async () => {
  for (const payer of ['Skipping Plan', 'Skipping Plan', 'Portal Plan', 'Phone Plan'])
    await service.aRequest({ payer_info: { name: payer } });
  const { page, complaints } = await aPerson(service, ['verifier'], { at: '/console/work' });
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      ['Skipping Plan', '2', 'Portal: 2'],
      ['Portal Plan', '1', 'Portal: 1'],
      ['Phone Plan', '1', 'Phone: 1'],
    ]);
  await page.getByText(/^4 wait, the oldest for \d+ s$/).waitFor();
  await page.getByText('Nothing waits at Empty Plan.').waitFor();
  await page.screenshot({ path: join(screenshots, 'work-by-payer.png') });

  // The whole row is the target; Enter on its name does the same.
  await page
    .getByRole('row', { name: /Skipping Plan/ })
    .getByRole('cell')
    .nth(1)
    .click({ force: true });
  for (const wait of [1, 0]) {
    await page.getByRole('heading', { level: 1, name: 'Skipping Plan' }).waitFor();
    await page.getByRole('radio', { name: 'Active', exact: true }).check();
    await page.getByLabel('Plan name').fill('PPO');
    await page.getByLabel('Start date').fill('1/1/26');
    await page.keyboard.press('Control+Enter');
    if (wait === 0) break;
    await expect.poll(() => page.getByLabel('Plan name').inputValue()).toBe('');
  }
  await page
    .getByText(
      'Nothing more waits at Skipping Plan. Next continues with the request that has waited longest.',
    )
    .waitFor();
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      ['Portal Plan', '1', 'Portal: 1'],
      ['Phone Plan', '1', 'Phone: 1'],
    ]);

  await page.getByLabel('From').selectOption('Only phone');
  // Nobody has worked Portal Plan's portal yet, so its request is for whoever is on the phone as well.
  await expect
    .poll(() => rowsOf(page))
    .toEqual([
      ['Portal Plan', '1', 'Phone: 1'],
      ['Phone Plan', '1', 'Phone: 1'],
    ]);
  await page.getByRole('button', { name: 'Phone Plan' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Phone Plan' }).waitFor();
  expect(complaints).toEqual([]);
});
