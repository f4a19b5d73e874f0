import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { absent, atTheBench } from './ground/at-the-bench.ts';
import { service, useShared } from './ground/shared.ts';

// Nobody at the workbench: the page's clock runs on, minute by minute, and the service's does not.

useShared();

/** One who pressed a key just now. */
async function aVerifier(): Promise<WatchedPage> {
  const watched = await atTheBench(service);
  await watched.page.getByLabel('Plan name').press('Shift');
  return watched;
}

test('after five minutes without a key the page asks, aloud, and any key answers', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  const warning = page.getByRole('alert').filter({ hasText: 'Are you still there?' });
  await absent(page, 4);
  expect(await warning.count()).toBe(0);
  await absent(page, 1);
  await warning.waitFor();
  // Who listens hears it once, without a number that changes each second; who looks sees it count down.
  expect(await warning.getByText(/^in \d+ s$/).getAttribute('aria-hidden')).toBe('true');
  await warning.getByText('in a minute').waitFor();
  const secondsLeft = async () => Number(/\d+/.exec(await warning.getByText(/^in \d+ s$/).innerText())?.[0]);
  await expectFit(watched, 'work-absent');
  const before = await secondsLeft();
  expect(before).toBeLessThanOrEqual(60);
  await page.clock.fastForward(10_000);
  await expect.poll(secondsLeft).toBeLessThanOrEqual(before - 10);
  await page.keyboard.press('Shift');
  await warning.waitFor({ state: 'detached' });
  await page.getByText('yours, renewed while you work').waitFor();
});

test('on a call nothing is asked, lease and session last, and colleagues see why', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('h');
  await page.getByText('kept without a key pressed').waitFor();
  const clock = page.getByRole('timer');
  await expect.poll(() => clock.innerText()).toMatch(/^(?:90:00|89:\d\d)$/);
  await absent(page, 7);
  expect(await page.getByText('Are you still there?').count()).toBe(0);
  await expectFit(watched, 'work-on-call');
  const me = await page.evaluate<{ result: { data: { session: { idle_ends_at: string } } } }>(
    `fetch('/console/api/sessions.me', {
      headers: { background: '1', 'origin-secret': localStorage.getItem('origin-secret') },
    }).then((answer) => answer.json())`,
  );
  expect(Date.parse(me.result.data.session.idle_ends_at) - Date.now()).toBeGreaterThan(88 * 60_000);

  const colleague = await aPerson(service, ['verifier']);
  await colleague.page.getByText(/, 1 on a call/).waitFor();
  await page.keyboard.press('h');
  await page.getByText('yours, renewed while you work').waitFor();
  await colleague.page.getByText('on a call').waitFor({ state: 'detached' });
});

/** The claim of a colleague, as a program makes it. */
const claimOf = (id: string) =>
  service.client.work.claimRequest({ request_id: id, channels: ['manual_web_portal'] });

// Broke: after its minute the warning was taken back, and the page went on to say "yours, renewed while you work".
test('what the warning says is so: after its minute others get the request, and what was typed stays', async () => {
  const watched = await atTheBench(service);
  const { page, id } = watched;
  await page.getByLabel('Plan name').fill('Half an answer');
  await absent(page, 5);
  const warning = page.getByRole('alert').filter({ hasText: 'Are you still there?' });
  await warning.waitFor();
  await page.getByText('not renewed: you are away').waitFor();
  expect(await page.getByText('yours, renewed while you work').count()).toBe(0);
  expect(await page.title()).toMatch(/^\d:\d\d left: still there\? · /);
  await page.clock.fastForward(50_000);
  await page.getByText(/^in \d s$/).waitFor();
  expect(await warning.count()).toBe(1);
  await page.clock.fastForward(15_000);
  await page.getByText('Lease lost', { exact: true }).waitFor();
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Half an answer');
  const claimed = await until('it is given back', () => claimOf(id).catch(() => null));
  expect(claimed.history).toMatchObject([{ outcome: 'released' }]);
  expect(await page.title()).toMatch(/^Work · /);
});

// Broke: a portal that was read for six minutes cost the request, and for fifteen the session.
test('in the portal nothing is asked, lease and session last, and colleagues see where', async () => {
  const watched = await aVerifier();
  const { page, context } = watched;
  await context.route('https://portal.example/**', (route) => route.fulfill({ body: 'The portal' }));
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the portal' }).press('Enter');
  await (await opened).close();
  await page.getByText('In the portal: kept without a key pressed').waitFor();
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^(?:30:00|29:\d\d)$/);
  await absent(page, 7);
  expect(await page.getByText('Are you still there?').count()).toBe(0);
  await expectFit(watched, 'work-in-portal');
  const me = await page.evaluate<{ result: { data: { session: { idle_ends_at: string } } } }>(
    `fetch('/console/api/sessions.me', {
      headers: { background: '1', 'origin-secret': localStorage.getItem('origin-secret') },
    }).then((answer) => answer.json())`,
  );
  expect(Date.parse(me.result.data.session.idle_ends_at) - Date.now()).toBeGreaterThan(28 * 60_000);
  const { items } = await service.client.work.stats();
  expect(items.some(({ in_portal_count }) => in_portal_count > 0)).toBe(true);
});

// Broke: nobody who looks at the portal sees a notice on another page.
test('the last minute is in the title of the tab, and in a notification where that is allowed', async () => {
  const watched = await atTheBench(service);
  const { page, context } = watched;
  await context.route('https://portal.example/**', (route) => route.fulfill({ body: 'The portal' }));
  // A browser without a screen allows none.
  await page.evaluate(`
    notified = [];
    Notification = class extends EventTarget {
      static permission = 'granted';
      constructor(title, { body }) { super(); notified.push(title + ' ' + body); }
      close() {}
    };
  `);
  // The 30 minutes are over in six, as far as the page knows; without a network its clock alone tells the time.
  await page.route('**/work.startCall', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { result: { data: { lease_expires_at: string } } };
    body.result.data.lease_expires_at = new Date(Date.now() + 360_000).toISOString();
    await route.fulfill({ response: answer, json: body });
  });
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the portal' }).press('Enter');
  await (await opened).close();
  await page.getByText('In the portal: kept without a key pressed').waitFor();
  expect(await page.title()).toMatch(/^Work · /);
  await context.setOffline(true);
  await page.clock.fastForward('05:10');
  await page.getByText('The 30 minutes in the portal are almost over.').waitFor();
  expect(await page.title()).toMatch(/^0:\d\d left: still there\? · /);
  expect(await page.evaluate('notified')).toEqual([
    'Are you still there? Others get the request on your workbench within a minute.',
  ]);
  await page.getByLabel('Plan name').press('Shift');
  await expect.poll(() => page.title()).toMatch(/^Work · /);
});

test('copying counts as use', async () => {
  const watched = await aVerifier();
  const { page } = watched;
  await absent(page, 4);
  await page.evaluate(`document.dispatchEvent(new ClipboardEvent('copy', { bubbles: true }))`);
  await absent(page, 4);
  expect(await page.getByText('Are you still there?').count()).toBe(0);
  await absent(page, 1);
  await page.getByText('Are you still there?').waitFor();
});
