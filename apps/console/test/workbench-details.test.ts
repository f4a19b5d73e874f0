import type { RequestInfo } from '@insurance-verification/schema';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// What a trial with a stopwatch found: what is covered, cut, hidden below the fold, or said of somebody else's channel.

// Its own service: Next takes what waits longest.
useOwn();

async function aRequest(changes: Partial<RequestInfo> = {}): Promise<string> {
  const { request_id: id } = await service.aRequest(changes);
  onTestFinished(
    async () =>
      void (await service.client.requests
        .close({ request_id: id, reason: 'withdrawn' })
        .catch(() => undefined)),
  );
  return id;
}

/** Takes a request that waits, or that this person holds in another tab. */
async function take(page: Page, id: string): Promise<void> {
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
}

async function atTheBench(changes: Partial<RequestInfo> = {}, name?: string) {
  const watched = await aPerson(service, ['verifier'], { name, at: null });
  const id = await aRequest(changes);
  await take(watched.page, id);
  return { ...watched, id };
}

/** Whether a pointer at the middle of an element meets it. */
const isMet = (at: Locator): Promise<boolean> =>
  at.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const met = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
    return met !== null && element.contains(met);
  });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const reasons = (page: Page) => page.getByRole('listbox', { name: 'Reasons' });
const linesOf = (at: Locator): Promise<number> =>
  at.evaluate((element) => {
    const lines = new Set<number>();
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    for (const { top } of range.getClientRects()) lines.add(Math.round(top));
    return lines.size;
  });

// Broke: for five seconds after each submit the notice lay over Release and On a call.
test('what is on its way covers nothing of the next request', async () => {
  const { page } = await atTheBench({ cpt_code_coverage: ['D0120', 'D0274'] });
  await aRequest({ cpt_code_coverage: ['D0120', 'D0274'] });
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The result is sent').waitFor();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  for (const name of ['Submit and next', 'Could not verify', 'Release', 'On a call'])
    expect([name, await isMet(button(page, name))]).toEqual([name, true]);
  for (const label of ['Plan name', 'Reference number', 'Note for colleagues'])
    expect([label, await isMet(page.getByLabel(label))]).toEqual([label, true]);
});

const TWELVE = Array.from({ length: 12 }, (_, index) => `D0${120 + index}`);

// Broke: with 12 codes Submit stood at y = 1,363, what is asked scrolled away, and 20 Tabs led to the reference number.
test('with twelve codes Submit and what is asked stay in sight, and one key covers them all', async () => {
  const watched = await atTheBench({ cpt_code_coverage: TWELVE });
  const { page } = watched;
  const all = button(page, 'All 12 covered');
  await all.waitFor();
  await page.keyboard.press('Space');
  let count = 0;
  const tabTo = async (target: Locator) => {
    for (; count < 30; count += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
  };
  await tabTo(all);
  await page.keyboard.press('Space');
  expect(await page.getByRole('radio', { name: 'Covered', exact: true, checked: true }).count()).toBe(12);
  await tabTo(page.getByLabel('Reference number'));
  expect(count).toBeLessThanOrEqual(8);
  await expectFit(watched, 'workbench-twelve-codes');
  await page.getByLabel('Reference number').scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5_000);
  for (const name of ['Submit and next', 'Release'])
    expect([name, await isMet(button(page, name))]).toEqual([name, true]);
  expect(await isMet(page.getByRole('region', { name: 'Ask' }).getByText('W123456789'))).toBe(true);
});

// Broke: values had 110 px, two buttons were called "Copy the name", and phone, portal and menu could not be copied.
test('what is asked has room, and each value its own key and button', async () => {
  const address = '1200 Northwest Commonwealth Avenue, Apartment 14B, Minneapolis, MN 55401';
  const watched = await atTheBench({
    patient_info: {
      subscriber_id: 'W123456789',
      dob: '17 May 1984',
      name: 'Maximiliane Hohenberg-Fischer',
      address,
    },
  });
  const { page, context } = watched;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const ask = page.getByRole('region', { name: 'Ask' });
  expect(await linesOf(ask.getByText('Maximiliane Hohenberg-Fischer', { exact: true }))).toBe(1);
  expect(await linesOf(ask.getByText(address, { exact: true }))).toBeLessThanOrEqual(3);
  const link = await ask.getByRole('link', { name: 'Open the portal' }).boundingBox();
  expect(link?.y).toBeLessThan(720);
  const names = await ask.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual([
    'Copy the member id',
    'Copy the date of birth',
    'Copy the patient’s name',
    'Copy the patient’s address',
    'Copy the NPI',
    'Copy the provider’s name',
    'Copy the organization',
    'Copy the phone number',
    'Copy the way through the menu',
    'Copy the portal’s address',
  ]);
  await page.getByRole('heading', { level: 1 }).click();
  const copied = async (key: string) => {
    await page.keyboard.press(key);
    return page.evaluate('navigator.clipboard.readText()');
  };
  await expect.poll(() => copied('2')).toBe('05/17/1984');
  await expect.poll(() => copied('8')).toBe('+1 800 555 0142');
  await expect.poll(() => copied('9')).toBe('2, then 1, then say “eligibility”');
  await expect.poll(() => copied('0')).toBe('https://portal.example/eligibility');
  await expectFit(watched, 'workbench-ask');
});

// Broke: a call began without the number of the one before, its page asked for the portal's text, and its reasons began
// with those of X12.
test('the phone has the portal’s attempt before it, its own evidence, and its own reasons first', async () => {
  const { page, id } = await atTheBench({}, 'Ann First');
  await page.getByLabel('Reference number').fill('PORTAL-77');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Why' }).waitFor();
  await expect
    .poll(() => reasons(page).getByRole('option').first().innerText())
    .toContain('asked for a second factor');
  await page.keyboard.press('Enter');
  await page.getByText('The request goes to the next channel').waitFor({ timeout: 15_000 });
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it', exact: true }).click();
  await page.getByText('Phone, by a person').first().waitFor();
  const ask = page.getByRole('region', { name: 'Ask' });
  await ask.getByText('Reference number PORTAL-77').waitFor();
  await ask.getByText(/, Ann First$/).waitFor();
  expect(await page.getByText('Text of the portal').count()).toBe(0);
  await page.getByLabel('What the payer said').waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Why' }).waitFor();
  await expect
    .poll(() => reasons(page).getByRole('option').first().innerText())
    .toContain('Nobody at the payer answered');
  expect(await reasons(page).innerText()).not.toMatch(/[a-z]_[a-z]/);
  expect(id).toMatch(/^req_/);
});

// Broke: "Someone is working on the request": not who, not until when, not that they are on a call.
test('a request that a colleague has is refused with their name, the time, and whether they are on a call', async () => {
  const { page: holder, id } = await atTheBench({}, 'Ann Holder');
  const watched: WatchedPage = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  const { page } = watched;
  await button(page, 'Take it').click();
  const refusal = page.getByRole('alert');
  await expect
    .poll(() => refusal.innerText())
    .toMatch(/^Ann Holder works on this request, until .*\d.* unless it is renewed\.$/);
  await holder.getByRole('heading', { level: 1 }).click();
  await holder.keyboard.press('h');
  await holder.getByText('kept without a key pressed').waitFor();
  await button(page, 'Take it').click();
  await expect
    .poll(() => refusal.innerText())
    .toMatch(/^Ann Holder works on this request, on a call, until .*\d/);
  watched.excuse(409);
  await expectFit(watched, 'workbench-refused');
});

// Broke: the digits that keyboards for Chinese and Japanese type were no date.
test('full-width digits are a date', async () => {
  const { page } = await atTheBench();
  await page.getByLabel('Start date').fill('２０２６０１１５');
  await expect.poll(() => page.getByText('Jan 15, 2026').count()).toBe(1);
});

// Broke: 16 px too wide (WCAG 1.4.10).
test('the settings fit a screen of 320 px', async () => {
  const { page } = await aPerson(service, ['verifier']);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/console/settings');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.getByRole('table').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

// Broke: the page of an erased request offered to take it, again and again.
test('an erased request is not offered any more once the service has said so', async () => {
  const { request_id: id } = await service.aRequest();
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(`update request set input = '', erased_at = now() where id = $1`, [id]);
  await client.end();
  const watched = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  const { page } = watched;
  await button(page, 'Take it').click();
  await page.getByText('The data of this request was erased.').waitFor();
  expect(await button(page, 'Take it').count()).toBe(0);
  await page.getByRole('link', { name: 'Back to Work' }).waitFor();
  watched.excuse(410);
  await expectFit(watched, 'work-erased');
});
