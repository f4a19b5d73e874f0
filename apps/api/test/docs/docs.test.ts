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

async function openDocs(path = '/docs'): Promise<OpenPage> {
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

// Without it a reader could be tracked, and the page would stay blank in a network without internet access.
test('the page shows the operations, asks its own origin only and complains of nothing', async () => {
  const { page, foreign, complaints } = await openDocs('/docs?api=all');
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

// A provider read ninety operations to find his thirty.
test('the page shows a provider what a provider calls, and the others are a choice', async () => {
  const { page, complaints } = await openDocs();
  await page.getByRole('link', { name: 'Create a verification request' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Open Group - Privacy' }).count()).toBe(0);
  await page.getByRole('button', { name: 'For providers' }).first().click();
  await page.getByText('For operators').first().click();
  await page.getByRole('button', { name: 'Open Group - Privacy' }).waitFor();
  expect(complaints).toEqual([]);
});
