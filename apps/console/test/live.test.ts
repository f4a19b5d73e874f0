import { createTestDatabase } from '@insurance-verification/store/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, linkTo, REFUSED, UNANSWERED } from './ground/a-page.ts';
import { aProxy } from './ground/a-proxy.ts';
import { startService, startServiceToKill, type TestService } from './ground/a-service.ts';
import { openLink, pasteLink } from './ground/open-link.ts';
import { service, useShared } from './ground/shared.ts';

// What is on screen follows by itself, over one stream a browser, and says so where it does not. While a page is live it
// never looks by itself, so whatever shows here came by an event.

useShared();

type Roles = Parameters<TestService['link']>[0];

/** A browser whose first tab is signed in and live; it counts the streams that it opens. */
async function aLivePage(of: Pick<TestService, 'url' | 'link'>, roles: Roles, origin = of.url) {
  const watched = await aPage(origin);
  onTestFinished(() => watched.context.close());
  const streams = countStreams(watched.context);
  await openLink(watched.page, (await of.link(roles)).replace(of.url, origin));
  await says(watched.page, 'Updates on');
  return { ...watched, streams };
}

function countStreams(context: BrowserContext) {
  let count = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/console/events')) count += 1;
  });
  return { count: () => count };
}

const says = (page: Page, state: string) =>
  page.getByRole('banner').getByText(state, { exact: true }).waitFor();
const shows = (page: Page, id: string) => linkTo(page, id).waitFor();

test('a request shows on the open page by its event, and again when it is finished', async () => {
  const { page, complaints } = await aLivePage(service, ['requester']);
  const { request_id: id } = await service.aRequest();
  await shows(page, id);
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
  await page
    .getByRole('row')
    .filter({ has: linkTo(page, id) })
    .getByText('withdrawn')
    .waitFor();
  expect(complaints).toEqual([]);
});

test('two tabs have one stream, and when the first is closed the other continues', async () => {
  const { page, context, streams } = await aLivePage(service, ['requester']);
  const second = await context.newPage();
  await second.goto('/console/requests');
  await says(second, 'Updates on');
  const one = await service.aRequest();
  await Promise.all([shows(page, one.request_id), shows(second, one.request_id)]);
  expect(streams.count()).toBe(1);
  await page.close();
  await expect.poll(() => streams.count(), { timeout: 15_000 }).toBe(2);
  await says(second, 'Updates on');
  const other = await service.aRequest();
  await shows(second, other.request_id);
});

test('what comes by itself is paused in every tab, also after a reload, until it is resumed', async () => {
  const watched = await aLivePage(service, ['requester']);
  const { page, context, streams } = watched;
  const second = await context.newPage();
  await second.goto('/console/requests');
  await says(second, 'Updates on');
  await second.getByRole('button', { name: 'Pause' }).click();
  await Promise.all([says(page, 'Updates paused'), says(second, 'Updates paused')]);
  await page.reload();
  await says(page, 'Updates paused');
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await expectFit(watched, 'live-paused');
  expect(streams.count()).toBe(1);
  const { request_id: id } = await service.aRequest();
  await page.getByRole('button', { name: 'Resume' }).click();
  await Promise.all([shows(page, id), shows(second, id)]);
  await Promise.all([says(page, 'Updates on'), says(second, 'Updates on')]);
});

test('a session that an admin ends says so on its page at once', async () => {
  const { page, complaints } = await aLivePage(service, ['requester']);
  const { items } = await service.client.sessions.list({ limit: 1 });
  const [{ session_id: sessionId, staff_id: staffId } = { session_id: '', staff_id: '' }] = items;
  await service.client.sessions.end({ session_id: sessionId });
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  // What was under way is refused; from here on nothing more is asked, not even by a page that opens now.
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/console/api/') && pathname !== '/console/api/sign-in') asked.push(pathname);
  });
  await page.getByRole('link', { name: 'Deliveries' }).dispatchEvent('click');
  await page.getByRole('heading', { name: 'Deliveries', level: 1, includeHidden: true }).waitFor();
  await page.getByText('Loading …').first().waitFor({ state: 'attached' });
  expect(asked).toEqual([]);
  expect(complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);

  // It is read once the person is back.
  const { link } = await service.client.staff.link({ staff_id: staffId });
  await pasteLink(page, link?.path ?? '');
  await expect.poll(() => asked, { timeout: 15_000 }).toContain('/console/api/deliveries.list');
  await says(page, 'Updates on');
});

test('a proxy that cuts the stream after a while costs nothing', async () => {
  const proxy = await aProxy(service.url);
  onTestFinished(proxy.stop);
  const { page, streams } = await aLivePage(service, ['requester'], proxy.url);
  proxy.cut();
  const missed = await service.aRequest();
  await shows(page, missed.request_id);
  await says(page, 'Updates on');
  expect(streams.count()).toBeGreaterThanOrEqual(2);
});

test('a service that is drained or killed is looked for, and found when it is back', async () => {
  const { connectionString } = await createTestDatabase();
  const first = await startService({ DATABASE_URL: connectionString });
  const again = { DATABASE_URL: connectionString, PORT: new URL(first.url).port };
  const watched = await aLivePage(first, ['requester']);
  const { page } = watched;
  await page.getByText('No requests yet').waitFor(); // else there is nothing to keep
  await first.stop();
  await says(page, 'Updates every 15 s');
  await page.getByText('Last updated').waitFor();
  await expectFit(watched, 'live-polling', UNANSWERED);
  const second = await startServiceToKill(again);
  onTestFinished(() => second.stop());
  await says(page, 'Updates on');
  const missed = await second.aRequest();
  await shows(page, missed.request_id);
  await second.kill();
  await says(page, 'Updates every 15 s');
  const third = await startService(again);
  onTestFinished(() => third.stop());
  await says(page, 'Updates on');
  await page.getByText('Last updated').waitFor({ state: 'detached' });
  const { request_id: id } = await third.aRequest();
  await shows(page, id);
}, 120_000);
