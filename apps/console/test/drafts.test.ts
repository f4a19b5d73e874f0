import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// Text that was typed outlives the tab, the connection, the service and the lease.

// Its own service: a test restarts it.
useOwn();

const aVerifier = (name?: string) => aPerson(service, ['verifier'], { name, at: null });

/** A request on this page's workbench; it is closed after the test. */
async function aBench({ page }: WatchedPage, name: string): Promise<string> {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: `ID-${name}`, dob: '1984-05-17', name },
  });
  onTestFinished(async () => void (await close(id)));
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await plan(page).waitFor();
  return id;
}

const close = (id: string) =>
  service.client.requests.close({ request_id: id, reason: 'withdrawn' }).catch(() => undefined);
const plan = (page: Page) => page.getByLabel('Plan name');
const holds = (page: Page, text: string) =>
  expect.poll(() => plan(page).inputValue(), { timeout: 15_000 }).toBe(text);
const saved = (page: Page) => page.getByText(/^Saved \d+ s ago$/).waitFor();

async function typed(page: Page, text: string): Promise<void> {
  await plan(page).fill(text);
  await saved(page);
}

test('a tab that is killed leaves its draft to the next one', async () => {
  const watched = await aVerifier();
  const id = await aBench(watched, 'Ann Killed');
  await typed(watched.page, 'Typed before the end');
  await watched.page.close();
  const page = await watched.context.newPage();
  await page.goto('/console/work');
  await page.getByRole('region', { name: 'My day' }).getByText('Continue with').waitFor();
  await expectFit({ ...watched, page }, 'work-drafts');
  await page.getByRole('link', { name: /Continue with/ }).click();
  expect(page.url()).toContain(id);
  await page.getByRole('button', { name: 'Take it' }).click();
  await plan(page).waitFor();
  await holds(page, 'Typed before the end');
});

test('text typed without a network stays, outlives the lease, and is saved when the network is back', async () => {
  const watched = await aVerifier();
  const { page, context } = watched;
  await page.clock.install();
  await aBench(watched, 'Ben Offline');
  await typed(page, 'Gold');
  await context.setOffline(true);
  await plan(page).fill('Gold, typed offline');
  await page.getByText(/^Offline: kept in this tab, saved \d+ s ago$/).waitFor();
  // The browser's complaint about the network is not a fault of the page.
  await expectFit({ ...watched, complaints: [] }, 'workbench-offline');
  await page.clock.fastForward('30:00');
  await page.getByText('Lease lost', { exact: true }).waitFor();
  expect(await plan(page).inputValue()).toBe('Gold, typed offline');
  expect(await plan(page).isDisabled()).toBe(true);
  await context.setOffline(false);
  await saved(page);
  await page.getByRole('button', { name: 'Take it again' }).click();
  await page.getByText('Lease lost', { exact: true }).waitFor({ state: 'detached' });
  await plan(page).fill('Gold, and more');
  await saved(page);
});

test('a service that starts again finds the page as it was left', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  await aBench(watched, 'Cal Restart');
  await typed(page, 'Silver');
  const restarted = service.restart();
  await plan(page).fill('Silver, typed meanwhile');
  await restarted;
  await page.getByText(/^Saved \d+ s ago$/).waitFor();
  await page.reload();
  await holds(page, 'Silver, typed meanwhile');
  expect(await plan(page).isEnabled()).toBe(true);
});

test('of two tabs on one request the one that took it last saves, and the other keeps its text unsaved', async () => {
  const watched = await aVerifier();
  const { page: first, context } = watched;
  const id = await aBench(watched, 'Dee Tabs');
  await typed(first, 'First tab');
  const second = await context.newPage();
  await second.goto(`/console/work/${id}`);
  await second.getByRole('button', { name: 'Take it' }).click();
  await holds(second, 'First tab');
  await first.getByText('You took this request in another tab, and it is yours there.').waitFor();
  expect(await first.getByText('yours, renewed while you work').count()).toBe(0);
  await typed(second, 'Second tab');
  await plan(first).fill('First tab, longer');
  await first.getByText('Not saved', { exact: true }).waitFor();
  await first.getByText('Lease lost', { exact: true }).waitFor();
  watched.excuse(409);
  await expectFit(watched, 'workbench-two-tabs');
  expect(await plan(first).inputValue()).toBe('First tab, longer');
  expect(await first.getByText(/Offline|does not answer/).count()).toBe(0);
  await first.getByRole('button', { name: 'Take it again' }).click();
  await holds(first, 'Second tab');
});

// Broke: the next person's Ctrl+Enter sent what a colleague had guessed as their own answer.
test('the next person is offered what a colleague typed, and sends none of it unasked', async () => {
  const first = await aVerifier('Ann First');
  const id = await aBench(first, 'Eve Left');
  await first.page.getByRole('radio', { name: 'Active', exact: true }).check();
  await typed(first.page, 'DPPO');
  await first.page.getByRole('button', { name: 'Release' }).click();
  await first.page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  const next = await aVerifier('Ben Next');
  const { page } = next;
  const take = async () => {
    await page.goto(`/console/work/${id}`);
    await page.getByRole('button', { name: 'Take it' }).click();
    await page.getByText('Ann First had typed: Active, DPPO. Use it?').waitFor();
  };
  await take();
  expect(await plan(page).inputValue()).toBe('');
  expect(await page.getByRole('radio', { name: 'Active', exact: true }).isChecked()).toBe(false);
  await expectFit(next, 'workbench-draft-of-another');
  await page.keyboard.press('Control+Enter');
  await page.locator('[aria-invalid="true"]').first().waitFor();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await page.getByText('Use it?').waitFor({ state: 'detached' });
  expect(await plan(page).inputValue()).toBe('');
  // What is refused stays stored until something else is typed.
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
  await take();
  await page.getByRole('button', { name: 'Use it' }).press('Enter');
  await page.getByText(/^Saved \d+ s ago by Ann First$/).waitFor();
  await holds(page, 'DPPO');
  expect(await page.getByRole('radio', { name: 'Active', exact: true }).isChecked()).toBe(true);
  await typed(page, 'A whole answer');
  await page.reload();
  await holds(page, 'A whole answer');
  expect(next.complaints).toEqual([]);
});
