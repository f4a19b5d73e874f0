import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPage, expectFit, screenshots, type WatchedPage } from './ground/a-page.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { openLink } from './ground/open-link.ts';
import { useBrowser } from './ground/shared.ts';

// A hundred of these a day: each result once, nothing typed lost, by no more keys than are written down.

useBrowser();

// Its own service: it has short leases.
let service: TestService;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  // The heartbeat comes with every third of a lease: a short one shows soon that it was lost.
  service = await startService({ WORK_LEASE_SECONDS: '9' });
  watched = await aPage(service.url);
  ({ page } = watched);
  await openLink(page, await service.link(['verifier']));
  await page.getByRole('banner').waitFor();
}, 120_000);
afterAll(() => service.stop());
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

/** Ends what is on the bench, after the page has left it: an open bench would be refused its next heartbeat. */
async function withdraw(requestId: string): Promise<void> {
  await page.goto('/console/work');
  await service.client.requests.close({ request_id: requestId, reason: 'withdrawn' });
}

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
test('ten in a row only by keys take the presses that are written down', async () => {
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
  const help = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'console', 'workbench.md'),
    'utf8',
  ).replaceAll(/ {2,}/g, ' ');
  for (const [kind, presses] of rows) expect(help).toContain(`| ${kind} | ${presses} |`);
  const { items } = await service.client.requests.list({ state: 'pending' });
  for (const { request_id: id } of items)
    if (id) await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});

test('a result is taken back within five seconds, with what was typed', async () => {
  const { request_id: id } = await service.aRequest(patient('Cal Third'));
  await page.keyboard.press('n');
  await begun('Cal Third');
  await page.keyboard.press('Space');
  await page.getByLabel('Plan name').fill('Gold');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The result is sent').waitFor();
  await page.keyboard.press('z');
  await onBench('Cal Third');
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Gold');
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ state: 'pending' });
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});

test('what cannot be read is reported at its field, and a day of two is asked for', async () => {
  const { request_id: id } = await service.aRequest({
    ...patient('Dee Fourth'),
    cpt_code_coverage: ['D0120'],
  });
  await page.keyboard.press('n');
  await begun('Dee Fourth');
  await page.getByLabel('Start date').fill('soon');
  await page.getByLabel('End date').fill('5/6/26');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('Choose what the payer said.').waitFor();
  await page.getByText('This is no day.').waitFor();
  await page.getByText('Which day is 5/6/26?').waitFor();
  await page.waitForFunction(`document.activeElement.value === 'Active'`);
  await expectFit(watched, 'workbench-faults');
  await page.keyboard.press('Space');
  await page.getByLabel('Start date').fill('20260101');
  await page.getByRole('button', { name: 'Jun 5, 2026' }).press('Enter');
  await page.getByRole('group', { name: 'Code D0120' }).getByLabel('Not covered').press('Space');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The result is accepted').waitFor();
  const { insurance_data: data } = await service.client.requests.result({ request_id: id });
  expect(data).toMatchObject([
    {
      notes: 'Not covered: D0120.',
      plan_info: { start_date: '2026-01-01', end_date: '2026-06-05', cpt_code_coverage: [] },
    },
  ]);
});

test('why it could not be verified is chosen by a few letters', async () => {
  const { request_id: id } = await service.aRequest(patient('Eve Fifth'));
  await page.keyboard.press('n');
  await begun('Eve Fifth');
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Could not verify' }).waitFor();
  await page.keyboard.type('two fac');
  await expectFit(watched, 'workbench-could-not-find-out');
  await page.keyboard.press('Enter');
  await page.getByText('The request goes to the next channel: E. F.').waitFor({ timeout: 15_000 });
  // It is the next thing to do again: the payer's route goes on to the phone.
  await page.keyboard.press('n');
  await page.getByText('Phone, by a person').first().waitFor();
  await onBench('Eve Fifth');
  await page.getByText("The payer's portal asked for a second factor").waitFor();
  const { items } = await service.client.requests.attempts({ request_id: id });
  expect(items).toMatchObject([{ error_reason: 'portal_two_factor' }, { outcome: 'working' }]);
  await withdraw(id);
});

test('a lease is given up after its heartbeat is answered, which is not refused', async () => {
  const { request_id: id } = await service.aRequest(patient('Ivy Ninth'));
  await page.keyboard.press('n');
  await begun('Ivy Ninth');
  const letGo = Promise.withResolvers<undefined>();
  await page.route('**/work.heartbeat', async (route) => {
    await letGo.promise;
    await route.continue();
  });
  const heartbeat = page.waitForRequest('**/work.heartbeat');
  const order: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('work.fail') && order.push('given up')));
  page.on('response', (answer) => void (answer.url().endsWith('work.heartbeat') && order.push('renewed')));
  await heartbeat;
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Could not verify' }).waitFor();
  await page.keyboard.type('two fac');
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await undo.waitFor({ state: 'detached', timeout: 15_000 });
  letGo.resolve(undefined);
  await page.getByText('The request goes to the next channel: I. N.').waitFor();
  await page.keyboard.press('n');
  await page.getByText('Phone, by a person').first().waitFor();
  await onBench('Ivy Ninth');
  expect(order.slice(0, 2)).toEqual(['renewed', 'given up']);
  await page.unroute('**/work.heartbeat');
  expect(watched.complaints).toEqual([]);
  await withdraw(id);
});

test('a lost lease freezes the form, and keeps what was typed', async () => {
  const { request_id: id } = await service.aRequest(patient('Flo Sixth'));
  await page.keyboard.press('n');
  await begun('Flo Sixth');
  await page.getByLabel('Plan name').fill('Silver');
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
  await page.getByText('The request is not yours any more.').waitFor();
  watched.excuse(409);
  expect(await page.getByLabel('Plan name').isDisabled()).toBe(true);
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Silver');
  await expectFit(watched, 'workbench-lease-lost');
  await page.getByRole('button', { name: 'Take it again' }).click();
  await page.getByText(PROBLEMS.request_finished.sentence).waitFor();
});

test('a reloaded page holds the request still', async () => {
  const { request_id: id } = await service.aRequest(patient('Gus Seventh'));
  await page.keyboard.press('n');
  await begun('Gus Seventh');
  await page.reload();
  await begun('Gus Seventh');
  // Focus lands in the first empty field, with a draft as without one.
  await page.keyboard.press('Space');
  await page.getByLabel('Plan name').fill('Gold');
  await page.getByText(/^Saved \d+ s ago$/).waitFor();
  await page.reload();
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toMatch(/^start-/);
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Gold');
  for (let count = 0; count < 3; count++) {
    await page.reload();
    await expect.poll(() => page.getByLabel('Plan name').inputValue()).toBe('Gold');
  }
  // Five loads of the page are one attempt.
  const { items } = await service.client.requests.attempts({ request_id: id });
  expect(items).toMatchObject([{ number: 1, outcome: 'working' }]);
  expect(watched.complaints).toEqual([]);
  await withdraw(id);
});

// Breaks if a request that was only looked at is held for two minutes, or counts as an attempt for the clinic.
test('a page that is left for another gives the request back, and a look is no attempt', async () => {
  const { request_id: id } = await service.aRequest(patient('Lea Eleventh'));
  await page.keyboard.press('n');
  await begun('Lea Eleventh');
  await page.getByRole('link', { name: 'Work', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  const waiting = await until('it waits again', async () => {
    const { items } = await service.client.work.claim({ channels: ['manual_web_portal'] });
    return items[0];
  });
  expect(waiting.request.request_id).toBe(id);
  const { items } = await service.client.requests
    .view({ request_id: id })
    .then(({ attempts }) => ({ items: attempts }));
  expect(items).toMatchObject([{ number: 2, outcome: 'working' }]);
  await service.client.work.release({ request_id: id, lease_token: waiting.lease_token });
  await withdraw(id);
});

test('the words that a field was read from go along', async () => {
  const { request_id: id } = await service.aRequest(patient('Hal Eighth'));
  await page.keyboard.press('n');
  await begun('Hal Eighth');
  await page.keyboard.press('Space');
  const pasted = page.getByLabel('Text of the portal');
  await pasted.fill('Coverage: ACTIVE since 2020');
  await pasted.press('Home');
  for (let count = 0; count < 10; count++) await pasted.press('ArrowRight');
  for (let count = 0; count < 6; count++) await pasted.press('Shift+ArrowRight');
  await page.getByRole('button', { name: 'Tie', exact: true }).press('Enter');
  await page.getByText('Tied to Eligibility.').waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The result is accepted').waitFor();
  const { items } = await service.client.requests.attempts({ request_id: id });
  expect(items[0]?.provenance).toEqual([
    { field: '/0/plan_info/eligibility_status', source: 'manual_web_portal', quote: 'ACTIVE' },
  ]);
});
