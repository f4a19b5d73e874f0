import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aBrowser } from '@insurance-verification/testing/a-browser';
import { freePort } from '@insurance-verification/testing/free-port';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../a-service.ts';
import { rows } from '../../rows.ts';
import { aProvider, providerEnv, type TestProvider } from './a-provider.ts';

// The real pages, and the cookies that a real browser keeps between two sites.

let service: TestService;
let provider: TestProvider;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  const env = { ...providerEnv(providerPort), PUBLIC_URL: origin, PORT: String(port), ROLES: 'http' };
  [service, provider, browser] = await Promise.all([
    startTestService({ env }),
    aProvider({ port: providerPort, publicUrl: origin }),
    aBrowser(),
  ]);
  await service.openConsole();
}, 120_000);
afterAll(() => Promise.all([service.stop(), provider.stop(), browser.close()]));

async function aPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin });
  context.setDefaultTimeout(15_000);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Kept for a person to look at. */
const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(tmpdir(), 'insurance-verification-console', `${name}.png`) });

test('a person signs in on the provider’s page, and goes on there after the session’s end', async () => {
  provider.person = { sub: 'ada', name: 'Ada Jones', groups: ['leads'] };
  const page = await aPage();
  await page.goto('/console/held?reason=untrusted');
  const button = page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` });
  await button.waitFor();
  await picture(page, 'sign-in-provider');
  await button.click();
  await page.getByRole('heading', { name: 'Held outputs' }).waitFor();
  expect(page.url()).toBe(`${origin}/console/held?reason=untrusted`);
  await page.getByText('Ada Jones').waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');

  // Ended from elsewhere: what is on screen stays, and the provider opens beside it.
  await rows(service.databaseUrl, 'update staff_session set ended_at = now()');
  await page.getByRole('link', { name: 'Audit' }).click();
  const dialog = page.getByRole('dialog', { name: 'You are signed out' });
  await dialog.waitFor();
  await picture(page, 'signed-out-provider');
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: /^Sign in with/ }).click(),
  ]);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'sessions.signIn' }).first().waitFor();
  if (!popup.isClosed()) await popup.waitForEvent('close');
});

test('the sign-in page says in words why the provider’s sign-in failed', async () => {
  provider.person = { sub: 'eve', groups: ['elsewhere'] };
  const page = await aPage();
  await page.goto('/console/sign-in');
  await page.getByRole('link', { name: /^Sign in with/ }).click();
  await page.getByText('None of your groups at the provider has a role here.').waitFor();
  await picture(page, 'sign-in-no-role');
  expect(new URL(page.url()).pathname).toBe('/console/sign-in');
});
