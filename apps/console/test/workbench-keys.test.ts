import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aBrowser } from '@insurance-verification/testing/a-browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPage, expectFit, screenshots, type WatchedPage } from './ground/a-page.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { openLink } from './ground/open-link.ts';

// A hundred of these a day: by keys alone, and no more of them than are written down.

let service: TestService;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  // The heartbeat comes with every third of a lease: a short one shows soon that it was lost.
  [service, browser] = await Promise.all([startService({ WORK_LEASE_SECONDS: '9' }), aBrowser()]);
  watched = await aPage(browser, service.url);
  ({ page } = watched);
  await openLink(page, await service.link(['verifier']));
  await page.getByRole('banner').waitFor();
}, 120_000);
afterAll(() => Promise.all([service.stop(), browser.close()]));
beforeEach(async () => {
  await page.goto('/console/work');
  await page.getByRole('button', { name: 'Next' }).waitFor();
});

/** Counts what a person presses; a key held with another is one more. */
function aCountedKeyboard() {
  let count = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      count += key.split('+').length;
      await page.keyboard.press(key);
    }
  };
  return { press, type: (text: string) => press(...text.split('')), count: () => count };
}

const onBench = (patient: string) => page.getByText(patient, { exact: true }).first().waitFor();

/** On the bench for the first time; the keys act once its first field has the focus, which comes after its words. */
async function begun(patient: string): Promise<void> {
  await onBench(patient);
  await firstFieldFocused();
}

/** The first field of a coverage, the first or one that was added. */
const firstFieldFocused = () => page.locator('input[type=radio][value=Active]:focus').waitFor();

const patient = (name: string) => ({
  patient_info: { subscriber_id: `ID-${name}`, dob: '1984-05-17', name },
});

test('a plain Active answer takes at most 25 key presses and no pointer, from Next to the next', async () => {
  const first = await service.aRequest(patient('Ada First'));
  const second = await service.aRequest(patient('Bea Second'));
  const keys = aCountedKeyboard();
  await keys.press('n');
  await begun('Ada First');
  await keys.press('Space', 'Tab');
  await keys.type('PPO');
  await keys.press('Tab');
  await keys.type('1/1/26');
  await keys.press('Control+Enter');
  await begun('Bea Second');
  expect(keys.count()).toBeLessThanOrEqual(25);
  expect(await watched.pointerCount()).toBe(0);
  await page.getByText('The result is sent').waitFor();
  await expectFit(watched, 'workbench-undo');
  await page.getByText('The result is accepted').waitFor();
  const { insurance_data: data } = await service.client.requests.result({ request_id: first.request_id });
  expect(data).toMatchObject([
    {
      verification_source: 'manual_web_portal',
      patient_info: { subscriber_id: 'ID-Ada First', dob: '1984-05-17' },
      plan_info: { eligibility_status: 'Active', plan_name: 'PPO', start_date: '2026-01-01', end_date: null },
    },
  ]);
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await service.client.requests.close({ request_id: second.request_id, reason: 'withdrawn' });
});

const type = (text: string) => text.split('');
const TWO_CODES = { cpt_code_coverage: ['D0120', 'D0274'] };

/** What a verifier meets in a morning, and the keys that answer it. */
const MORNING: readonly (readonly [kind: string, keys: readonly string[], asks?: object])[] = [
  ['Active, plain', ['Space', 'Tab', ...type('PPO'), 'Tab', ...type('1/1/26'), 'Control+Enter']],
  ['Inactive', ['ArrowDown', 'Tab', 'Tab', 'Tab', ...type('12/31/25'), 'Control+Enter']],
  [
    'Two codes',
    [
      'Space',
      'Tab',
      ...type('PPO'),
      'Tab',
      ...type('1/1/26'),
      'Tab',
      'Tab',
      'ArrowDown',
      'Tab',
      'ArrowUp',
      'Control+Enter',
    ],
    TWO_CODES,
  ],
  ['Active, plain', ['Space', 'Tab', ...type('HMO'), 'Tab', ...type('1/1/26'), 'Control+Enter']],
  [
    'Second coverage',
    ['Space', 'Tab', ...type('PPO'), 'Tab', ...type('1/1/26'), 'Tab', 'Tab', 'Tab', 'Tab', 'Enter'].concat([
      'Space',
      'Tab',
      ...type('Gold'),
      'Tab',
      ...type('1/1/25'),
      'Control+Enter',
    ]),
  ],
  ['Could not verify', ['f', ...type('member not'), 'Enter']],
  ['Active, plain', ['Space', 'Tab', ...type('EPO'), 'Tab', ...type('1/1/26'), 'Control+Enter']],
  ['Inactive', ['ArrowDown', 'Tab', 'Tab', 'Tab', ...type('12/31/25'), 'Control+Enter']],
  ['Could not verify', ['f', ...type('member not'), 'Enter']],
  ['Release', ['r']],
];

// The keys are held against the page about them; the seconds are for a person to look at.
test('ten in a row by keys alone take the presses that are written down', async () => {
  for (const [index, [, , asks]] of MORNING.entries())
    await service.aRequest({ ...patient(`Morning ${index}`), ...asks });
  const rows: [string, number, string][] = [];
  await page.keyboard.press('n');
  for (const [index, [kind, pressed]] of MORNING.entries()) {
    await begun(`Morning ${index}`);
    const keys = aCountedKeyboard();
    const startedAt = performance.now();
    for (const key of pressed) {
      await keys.press(key);
      // A person looks where the keys lead before the next.
      if (key === 'f') await page.getByRole('combobox', { name: 'Why' }).waitFor();
      if (key === 'Enter' && kind === 'Second coverage') await firstFieldFocused();
    }
    await (index + 1 < MORNING.length
      ? onBench(`Morning ${index + 1}`)
      : page.getByRole('heading', { name: 'Work', level: 1 }).waitFor());
    rows.push([kind, keys.count(), ((performance.now() - startedAt) / 1_000).toFixed(1)]);
  }
  expect(await watched.pointerCount()).toBe(0);
  const table = rows.map(([kind, presses, seconds]) => `| ${kind} | ${presses} | ${seconds} |`).join('\n');
  writeFileSync(
    join(screenshots, 'stopwatch.txt'),
    `| kind | key presses | seconds |\n| --- | --- | --- |\n${table}\n`,
  );
  const figures = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'figures.md'),
    'utf8',
  ).replaceAll(/ {2,}/g, ' ');
  for (const [kind, presses] of rows) expect(figures).toContain(`| ${kind} | ${presses} |`);
  const { items } = await service.client.requests.list({ state: 'pending' });
  for (const { request_id: id } of items)
    if (id) await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});
