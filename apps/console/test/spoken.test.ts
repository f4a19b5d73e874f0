import { openStore } from '@insurance-verification/store';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aPerson } from './ground/a-person.ts';
import { absent, atTheBench } from './ground/at-the-bench.ts';
import { service, useShared } from './ground/shared.ts';

// What a screen reader says by itself: each thing once, without the numbers that change every second.

useShared();

/** Notes what each live region comes to say; of a region that comes with its words, only an alert is spoken. */
const LISTEN = `
  window.spoken = [];
  const words = (region) => {
    const copy = region.cloneNode(true);
    for (const unspoken of copy.querySelectorAll('[aria-hidden=true], button')) unspoken.remove();
    return copy.textContent.replaceAll(/\\s+/g, ' ').trim();
  };
  const last = new Map();
  const look = (isFirst) => {
    for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) {
      const text = words(region);
      const before = last.get(region);
      last.set(region, text);
      if (text === '' || text === before || isFirst) continue;
      if (before !== undefined || region.matches('[role=alert]')) window.spoken.push(text);
    }
  };
  look(true);
  new MutationObserver(() => look(false)).observe(document, { subtree: true, childList: true, characterData: true });
`;

const spoken = (page: Page) => page.evaluate<string[]>('window.spoken');

/** A verifier at work, heard from here on. */
async function heardAtTheBench(): ReturnType<typeof atTheBench> {
  const watched = await atTheBench(service);
  await watched.page.evaluate(LISTEN);
  return watched;
}

test('a save is said once, and not again as it gets older', async () => {
  const { page, id } = await heardAtTheBench();
  await page.getByLabel('Plan name').fill('Gold');
  await page.clock.fastForward(2_000);
  await page.getByText(/^Saved \d+ s ago$/).waitFor();
  await page.clock.fastForward(5_000);
  await page.getByText(/^Saved (?:[5-9]|\d\d) s ago$/).waitFor();
  expect(await spoken(page)).toEqual(['Saved.']);
  await page.getByLabel('Plan name').fill('Gold plus');
  await page.clock.fastForward(2_000);
  await expect.poll(() => spoken(page)).toEqual(['Saved.', 'Saved.']);
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});

test('the five seconds to undo are said once, and then what became of the result', async () => {
  const { page } = await heardAtTheBench();
  await page.getByRole('radio', { name: 'Active', exact: true }).press('Space');
  await page.keyboard.press('Control+Shift+Enter');
  // The seconds are drawn, and in no text: what is spoken, or copied, has them once, in words.
  const counting = page.locator('[data-seconds]');
  await counting.waitFor();
  expect(await counting.getAttribute('data-seconds')).toMatch(/^\d$/);
  expect(await counting.textContent()).toBe('in five seconds');
  for (let second = 0; second < 6; second += 1) await page.clock.fastForward(1_000);
  await page.getByText('The result is accepted').first().waitFor();
  const said = (await spoken(page)).filter((text) => text.startsWith('The result'));
  expect(said).toEqual([
    'The result is sent in five seconds: J. D. at Bluefield Dental PPO.',
    'The result is accepted and on its way to the provider: J. D. at Bluefield Dental PPO.',
  ]);
});

test('absence is spoken once, in every countdown', async () => {
  const { page, id } = await heardAtTheBench();
  await absent(page, 5);
  await page.getByRole('alert').filter({ hasText: 'Are you still there?' }).waitFor();
  for (let second = 0; second < 5; second += 1) await page.clock.fastForward(1_000);
  expect((await spoken(page)).filter((text) => text.startsWith('Are you'))).toEqual([
    'Are you still there? Nothing was typed for five minutes. Press any key, or others get this request in a minute.',
  ]);
  // The countdown of the lease is there to be asked for, and never speaks by itself.
  const clock = page.getByRole('timer', { name: 'The request is yours for' });
  expect(await clock.getAttribute('aria-live')).toBeNull();
  expect((await spoken(page)).join(' ')).not.toMatch(/\d:\d\d/);
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});

test('what is changed in the settings is said to be saved', async () => {
  const { page } = await aPerson(service, ['viewer'], { at: '/console/settings' });
  await page.getByLabel('Keys of one letter').waitFor();
  await page.evaluate(LISTEN);
  await page.getByLabel('Keys of one letter').uncheck();
  await expect.poll(() => spoken(page)).toContain('Saved');
  await page.evaluate('window.spoken.length = 0');
  await page.getByLabel('Rows of lists').selectOption('compact');
  await expect.poll(() => spoken(page)).toContain('Saved');
});

test('a minute before a session ends that is said once, and what kept it is quiet', async () => {
  const { page } = await aPerson(service, ['viewer'], { at: null });
  await page.clock.install();
  await page.goto('/console/settings');
  await page.getByLabel('Keys of one letter').waitFor();
  await page.evaluate(LISTEN);
  const store = await openStore({ connectionString: service.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  const used_at = new Date(Date.now() - 14 * 60_000 - 10_000);
  await store.db.updateTable('staff_session').set({ used_at }).execute();
  await store.close();
  await page.clock.fastForward(61_000); // nobody touches the page: what it reads by itself is no use
  await page.getByRole('button', { name: 'Stay signed in' }).waitFor();
  for (let second = 0; second < 5; second += 1) await page.clock.fastForward(1_000);
  expect(await spoken(page)).toEqual([
    'This page was not used for a while. You are signed out within a minute.',
  ]);
});
