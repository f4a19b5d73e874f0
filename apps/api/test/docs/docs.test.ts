import { aBrowser } from '@insurance-verification/testing/a-browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { BOOTSTRAP_KEY, startTestService, type TestService } from '../a-service.ts';

// Only a real browser shows whether the page works under its own policy and stays on its origin.

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService({ env: { ROLES: 'http' } }), aBrowser()]);
});
afterAll(() => Promise.all([service.stop(), browser.close()]));

interface OpenPage {
  readonly page: Page;
  /** Requests to other origins, sent or attempted. */
  readonly foreign: string[];
  /** The page's errors and policy violations. */
  readonly complaints: string[];
}

async function openDocs(path = '/docs/reference'): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== service.url && url.protocol !== 'data:' && url.protocol !== 'blob:')
      foreign.push(url.href);
  });
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  page.on('pageerror', (err) => complaints.push(err.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.exposeFunction('complain', (text: string) => void complaints.push(text));
  // A library in Scalar probes once whether eval is allowed, and works without it.
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    if (blockedURI !== 'eval') complain(violatedDirective + ' forbids ' + blockedURI);
  })`);
  await page.goto(`${service.url}${path}`);
  await page.getByRole('heading', { name: 'Insurance Verification API' }).waitFor();
  return { page, foreign, complaints };
}

// Without it a reader could be tracked, and the page would stay blank in a network without internet access. A provider
// once read ninety operations to find his thirty.
test('the page shows a provider their operations, all as a choice, asks its own origin only and complains of nothing', async () => {
  const { page, foreign, complaints } = await openDocs();
  await page.getByRole('link', { name: 'Create a verification request' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Open Group - Privacy' }).count()).toBe(0);
  await page.getByRole('button', { name: 'For providers' }).first().click();
  await page.getByText('Everything').first().click();
  expect(await page.title()).toBe('Insurance Verification API');
  for (const group of ['Work', 'Output', 'Delivery', 'Access', 'Privacy', 'Reports', 'Webhooks', 'Models']) {
    await page.getByRole('button', { name: `Open Group - ${group}` }).click();
  }
  for (const summary of [
    'Create a verification request',
    'Submit a verification output',
    'Deliver the result again',
    'Create an API key',
    'RequestInfo',
  ]) {
    await page.getByRole('link', { name: summary }).first().waitFor();
  }
  const { paths } = await service.answer<{ paths: Record<string, object> }>('GET', '/openapi.json');
  const text = await page.locator('body').innerText();
  expect(Object.keys(paths).filter((path) => !text.includes(path))).toEqual([]);
  expect(await page.locator('a[href^="http"]:visible').evaluateAll((links) => links.map(String))).toEqual([]);
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});

// Trying an operation is the page's purpose; a policy too strict would break it silently.
test('a reader creates the example’s request by clicking, with a key typed into the page', async () => {
  const { page, foreign, complaints } = await openDocs();
  await page.getByRole('link', { name: 'Create a verification request' }).click();
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const key = dialog.getByLabel('Value', { exact: false }).first();
  await key.click();
  await page.keyboard.insertText(BOOTSTRAP_KEY);
  const answered = page.waitForResponse(`${service.url}/requests/`);
  await dialog.getByRole('button', { name: 'Send', exact: false }).first().click();
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    state: 'pending',
    input: { patient_info: { name: 'Jane Doe' }, payer_info: { name: 'Payer Plan 1' } },
  });
  await dialog.getByText('200 OK').first().waitFor();
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the page and its scripts may not be framed, sniffed or extended', async () => {
  const page = await service.ask('GET', '/docs', { key: null });
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  const script = await service.ask('GET', '/docs/scalar.js', { key: null });
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
});

/** The Accept header of a browser. */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
};

// A dead link would be the first thing that a newcomer meets.
test('a browser that opens the address gets a page whose every link answers', async () => {
  const page = await service.ask('GET', '/', { key: null, headers: BROWSER });
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'accept' });
  const links = [...page.text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(new Set(links)).toEqual(
    new Set(['/favicon.ico', '/docs', '/docs/reference', '/openapi.json', '/status', '/readyz']),
  );
  for (const link of new Set(links)) {
    expect([link, (await service.ask('GET', link, { key: null })).status]).toEqual([link, 200]);
  }
});

// Broke: a program got a 404 without a hint for its author.
test.each(['*/*', 'application/json', 'image/png', undefined])(
  'a program that accepts %s gets the paths as JSON, and each answers',
  async (accept) => {
    const answer = await service.ask('GET', '/', {
      key: null,
      headers: accept === undefined ? {} : { accept },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept',
    });
    const { name, ...paths } = JSON.parse(answer.text) as Record<string, string>;
    expect(name).toBe('Insurance Verification Service');
    expect(paths).toEqual({
      docs: '/docs',
      reference: '/docs/reference',
      openapi: '/openapi.json',
      status: '/status',
      health: '/readyz',
    });
    for (const path of Object.values(paths))
      expect([path, (await service.ask('GET', path, { key: null })).status]).toEqual([path, 200]);
  },
);

test('the page loads nothing but its icon, and runs nothing', async () => {
  const { headers } = await service.ask('GET', '/', { key: null, headers: BROWSER });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

// A style that its own policy blocks would leave bare text, and no other test would notice.
test.each([
  ['a desktop', 'light', { width: 1280, height: 800 }, 'rgb(248, 250, 250)'],
  ['a phone', 'dark', { width: 360, height: 740 }, 'rgb(13, 21, 20)'],
] as const)(
  'on %s in %s it is styled, fits and complains of nothing',
  async (_, colorScheme, viewport, ground) => {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Insurance Verification Service' }).waitFor();
    // As text: the code runs in the page, whose globals this file's types do not have.
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(ground);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe(
      '/docs/reference',
    );
    await context.close();
    expect(complaints).toEqual([]);
  },
);
