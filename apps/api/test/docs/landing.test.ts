import { aBrowser } from '@insurance-verification/testing/a-browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../a-service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService({ env: { ROLES: 'http' } }), aBrowser()]);
});
afterAll(() => Promise.all([service.stop(), browser.close()]));

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
};

// A dead link would be the first thing that a newcomer meets.
test('a browser that opens the address gets a page whose every link answers', async () => {
  const page = await service.ask('GET', '/', { key: null, headers: BROWSER });
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'accept' });
  const links = [...page.text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  expect(new Set(links)).toEqual(new Set(['/favicon.ico', '/docs', '/openapi.json', '/readyz']));
  for (const link of new Set(links)) {
    expect([link, (await service.ask('GET', link, { key: null })).status]).toEqual([link, 200]);
  }
});

// Broke: a program got a 404, and its author nothing to go on.
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
    expect(paths).toEqual({ docs: '/docs', openapi: '/openapi.json', health: '/readyz' });
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
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'Insurance Verification API' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    await context.close();
    expect(complaints).toEqual([]);
  },
);
