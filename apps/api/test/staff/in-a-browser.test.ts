import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Myself, StaffLink } from '@insurance-verification/schema';
import { FIRST_STAFF_ID } from '@insurance-verification/store';
import { aBrowser } from '@insurance-verification/testing/a-browser';
import { until } from '@insurance-verification/testing/until';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { OWN_PAGE } from './a-session.ts';

// Only a real browser shows which cookies and headers it sends from where.

let services: readonly [TestService, TestService];
let browser: Browser;
beforeAll(async () => {
  const env = { ROLES: 'http' };
  [services, browser] = await Promise.all([
    Promise.all([startTestService({ env }), startTestService({ env })]),
    aBrowser(),
  ]);
});
afterAll(() => Promise.all([...services.map((service) => service.stop()), browser.close()]));

/** What the console's pages make and keep in their storage; nothing else can read it there. */
const SECRET = OWN_PAGE['origin-secret'];

const addressOf = ({ url }: TestService) => url.replace('127.0.0.1', 'localhost');

async function aContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ bypassCSP: true }); // allows calls from whatever page is open
  onTestFinished(() => context.close());
  return context;
}

/** Opens a start's link like a person, and signs in like its page: with the token in the fragment. */
async function openLink(
  context: BrowserContext,
  service: TestService,
  token = service.firstLink ?? '',
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${addressOf(service)}/console/in#${token}`);
  expect(page.url()).toBe(`${addressOf(service)}/console/sign-in#${token}`);
  const status = await page.evaluate(`fetch('/console/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin-secret': '${SECRET}' },
    body: JSON.stringify({ token: location.hash.slice(1) }),
  }).then(({ status }) => status)`);
  expect(status).toBe(200);
  return page;
}

async function me(page: Page): Promise<Myself> {
  const text = await page.evaluate<string>(
    `fetch('/console/api/sessions.me', { headers: { 'origin-secret': '${SECRET}' } }).then((me) => me.text())`,
  );
  return (JSON.parse(text) as { result: { data: Myself } }).result.data;
}

/** A foreign page on another port of this machine; returns what it reports after its attempt. */
async function aForeignPage(html: string): Promise<string> {
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

const staffCount = async ({ databaseUrl }: TestService) =>
  (await rows(databaseUrl, 'select from staff')).length;

test('two services on one host are signed in to side by side, and out of one by one', async () => {
  const context = await aContext();
  const pages = [await openLink(context, services[0]), await openLink(context, services[1])] as const;
  const first = await Promise.all(pages.map(me));
  expect(new Set(first.map(({ session }) => session?.session_id)).size).toBe(2);
  await pages[0].evaluate(`fetch('/console/api/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'origin-secret': '${SECRET}' },
  })`);
  const left = await pages[0].evaluate(async () => (await fetch('/console/api/sessions.me')).status);
  expect(left).toBe(401);
  expect((await me(pages[1])).session?.session_id).toBe(first[1]?.session?.session_id);
  expect(await pages[1].evaluate('document.cookie')).toBe('');

  // Still signed in: calls from a page on another port of the same host carry the cookie, and have no effect.
  const [, service] = services;
  const target = `${addressOf(service)}/console/api/staff.add`;
  const before = await staffCount(service);
  const script = await aForeignPage(`<script>
    const body = JSON.stringify({ name: 'Eve', roles: ['admin'] });
    const asks = ['text/plain', 'application/x-www-form-urlencoded', 'application/json'].map((type) =>
      fetch(${JSON.stringify(target)}, {
        method: 'POST', mode: type === 'application/json' ? 'cors' : 'no-cors', credentials: 'include',
        headers: { 'content-type': type }, body,
      }).then(() => 'answered', () => 'blocked'));
    asks.push(fetch(${JSON.stringify(target)}, {
      method: 'POST', mode: 'no-cors', credentials: 'include', body: new Blob([body]),
    }).then(() => 'answered', () => 'blocked'));
    Promise.all(asks).then((ends) => { document.title = ends.join(' '); });
  </script>`);
  const page = await context.newPage();
  await page.goto(script);
  await page.waitForFunction(`document.title !== ''`);
  expect(await page.title()).toBe('blocked blocked blocked blocked');
  // The calls were sent, the JSON one as its preflight: the service itself refused them.
  const refusals = () => service.logLines.filter((line) => line.includes('"problem":"cross_site"')).length;
  await until('each is refused', () => refusals() === 4);
  const form = await aForeignPage(`<form method="post" enctype="text/plain" action="${target}">
    <input name='{"name":"Eve","roles":["admin"],"x":"' value='"}'></form><script>document.forms[0].submit()</script>`);
  const [answer] = await Promise.all([page.waitForResponse(target), page.goto(form).catch(() => null)]);
  expect(answer.status()).toBe(403);
  expect(await staffCount(service)).toBe(before);
});

// A browser sends a host's cookies to every port of it: whatever else runs on the machine gets the session's by a link.
test('the cookie that a page on another port was sent opens nothing', async () => {
  const [service] = services;
  const { link } = await service.answer<StaffLink>('POST', `/staff/${FIRST_STAFF_ID}/link`);
  const context = await aContext();
  const own = await openLink(context, service, link?.path.split('#')[1]);
  const cookies: string[] = [];
  const server = createServer(({ headers: { cookie = '' } }, res) => {
    cookies.push(cookie);
    res.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const other = await context.newPage();
  await other.goto(`http://localhost:${(server.address() as AddressInfo).port}/console/`);
  const [cookie = ''] = cookies;
  expect(cookie).toMatch(/^iv_session_\d+=[\w-]{43}$/);

  // Whoever has it writes any header.
  const wrong: Record<string, string>[] = [{}, { 'origin-secret': '' }, { 'origin-secret': 'A'.repeat(43) }];
  for (const header of wrong) {
    const headers = {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      cookie,
      ...header,
    };
    for (const [method, path] of [
      ['GET', '/console/api/sessions.me'],
      ['GET', '/console/events'],
    ] as const)
      expect([path, (await service.ask(method, path, { key: null, headers })).status]).toEqual([path, 401]);
    await service.ask('POST', '/console/api/sign-out', { key: null, headers });
  }
  expect((await me(own)).id).toBe(FIRST_STAFF_ID);
});
