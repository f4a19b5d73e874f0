import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddedStaff } from '@insurance-verification/schema';
import { aBrowser } from '@insurance-verification/testing/a-browser';
import { freePort } from '@insurance-verification/testing/free-port';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { anAccount } from '../../a-key.ts';
import { startTestService, type TestService } from '../../a-service.ts';
import { alter, rows } from '../../rows.ts';
import { aClient, BEHIND_A_PROXY } from '../a-session.ts';
import { aProvider, providerEnv, type TestProvider } from './a-provider.ts';

// The real pages, and the cookies that a real browser keeps between two sites.

let service: TestService;
let provider: TestProvider;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  const env = {
    ...BEHIND_A_PROXY,
    ...providerEnv(providerPort),
    PUBLIC_URL: origin,
    PORT: String(port),
    ROLES: 'http',
  };
  [service, provider, browser] = await Promise.all([
    startTestService({ env }),
    aProvider({ port: providerPort, publicUrl: origin }),
    aBrowser(),
  ]);
  await service.openConsole();
}, 120_000);
afterAll(() => Promise.all([service.stop(), provider.stop(), browser.close()]));

async function aPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, extraHTTPHeaders: aClient() });
  context.setDefaultTimeout(15_000);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** The way through the provider, beside which there may be others. */
const atProvider = (dialog: Locator) =>
  dialog.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` });

/** Kept for a person to look at, with the console's. */
const pictures = fileURLToPath(
  new URL('../../../../console/node_modules/.cache/screenshots/', import.meta.url),
);
const picture = (page: Page, name: string) => page.screenshot({ path: join(pictures, `${name}.png`) });

test('a person signs in on the provider’s page, and continues there after the session’s end', async () => {
  provider.person = { sub: 'ada', name: 'Ada Jones', groups: ['leads'] };
  const page = await aPage();
  await page.goto('/console/held?reason=untrusted');
  const button = page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` });
  await button.waitFor();
  await picture(page, 'sign-in-provider');
  await button.click();
  await page.getByRole('heading', { name: 'Held outputs' }).waitFor();
  expect(page.url()).toBe(`${origin}/console/held?reason=untrusted`);
  await page.getByText('Ada Jones').waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');

  // Ended from elsewhere: what is on screen stays, and the provider opens beside it.
  await alter(service.databaseUrl, 'update staff_session set ended_at = now()');
  await page.getByRole('link', { name: 'Audit' }).click();
  const dialog = page.getByRole('dialog', { name: 'You are signed out' });
  await dialog.waitFor();
  await picture(page, 'signed-out-provider');
  const [popup] = await Promise.all([page.waitForEvent('popup'), atProvider(dialog).click()]);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Signed in' }).first().waitFor();
  if (!popup.isClosed()) await popup.waitForEvent('close');
});

// Broke: an invitation that a colleague opened, from any site, bound their identity to whomever it was for.
test('an invitation names its person and account, and binds no identity before a click', async () => {
  provider.person = { sub: 'lin', name: 'Lin Wu', groups: ['portal'] };
  const page = await aPage();
  const { account_id, name } = await anAccount(service, { name: 'Bayside Dental' });
  const body = { name: 'Mallory', roles: ['requester'], account_id };
  const { staff_id, link } = await service.answer<AddedStaff>('POST', '/staff', body);
  await page.goto(link?.path ?? '');
  await page.getByText(`This invitation is for Mallory of ${name}.`).waitFor();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await picture(page, `invitation-${width}`);
  }
  const bound = () =>
    rows(service.databaseUrl, 'select subject from staff_identity where staff_id = $1', [staff_id]);
  expect(await bound()).toEqual([]);
  await page.getByRole('button', { name: 'This is not me' }).click();
  await page.getByRole('button', { name: 'Sign in with localhost' }).waitFor();
  expect([await bound(), await page.context().cookies()]).toEqual([[], []]);

  await page.goto(link?.path ?? '');
  await page.getByRole('button', { name: `Continue to ${new URL(provider.issuer).host}` }).click();
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  expect(await bound()).toEqual([{ subject: 'lin' }]);
});

test('the sign-in page says in words why the provider’s sign-in failed', async () => {
  provider.person = { sub: 'eve', groups: ['elsewhere'] };
  const page = await aPage();
  await page.goto('/console/sign-in');
  await page.getByRole('button', { name: /^Sign in with [^a]/ }).click();
  await page.getByText('None of your groups at the provider has a role here.').waitFor();
  await picture(page, 'sign-in-no-role');
  expect(new URL(page.url()).pathname).toBe('/console/sign-in');
});

test('what makes access asks to sign in again when the sign-in is old, and then continues by itself', async () => {
  provider.person = { sub: 'grace', name: 'Grace Hopper', groups: ['admins'] };
  const page = await aPage();
  await page.goto('/console/accounts');
  await page.getByRole('button', { name: /^Sign in with [^a]/ }).click();
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByLabel('Name').fill('Main Street Dental');
  await alter(service.databaseUrl, `update staff_session set proven_at = now() - interval '16 minutes'`);
  await page.getByRole('button', { name: 'Make the account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await picture(page, 'fresh-sign-in');
  await atProvider(dialog).click();
  await page.getByRole('rowheader', { name: 'Main Street Dental' }).waitFor();
  expect(provider.asked.get('prompt')).toBe('login');
});

test('a minute before a session ends of idleness the page says so, and a click keeps it', async () => {
  provider.person = { sub: 'ada', name: 'Ada Jones', groups: ['leads'] };
  const page = await aPage();
  await page.clock.install();
  await page.goto('/console/held');
  await page.getByRole('button', { name: /^Sign in with [^a]/ }).click();
  await page.getByRole('heading', { name: 'Held outputs' }).waitFor();
  await rows(
    service.databaseUrl,
    `update staff_session set used_at = now() - interval '14 minutes 10 seconds'`,
  );
  await page.clock.fastForward(61_000); // nobody touches the page: what it reads by itself is no use
  const warning = page.getByRole('alert').filter({ hasText: 'You are signed out within a minute' });
  await warning.waitFor();
  await picture(page, 'end-warning');
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await warning.waitFor({ state: 'detached' });
  const [session] = await rows<{ idle: number }>(
    service.databaseUrl,
    `select extract(epoch from now() - max(used_at))::float8 as idle from staff_session where ended_at is null`,
  );
  expect(session?.idle).toBeLessThan(60);
});

// Without it an admin would wonder why the roles they gave are gone the next day.
test('who changes a person’s roles learns that the provider’s come back with the next sign-in', async () => {
  provider.person = { sub: 'grace', name: 'Grace Hopper', groups: ['admins'] };
  const page = await aPage();
  await page.goto('/console/staff');
  await page.getByRole('button', { name: /^Sign in with [^a]/ }).click();
  await page.getByRole('button', { name: 'Change … Grace Hopper' }).first().click();
  const notice = page.getByText(
    `These hold until Grace Hopper next signs in with ${new URL(provider.issuer).host}`,
  );
  await notice.waitFor();
  await picture(page, 'staff-change-provider');
  expect(await notice.innerText()).toContain('the roles of their groups there');
});

test('a passkey that is no way in any more leads to the provider, and on to the page', async () => {
  provider.person = { sub: 'kay', name: 'Kay McNulty', groups: ['verifiers'] };
  const page = await aPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/console/settings');
  await page.getByRole('button', { name: /^Sign in with [^a]/ }).click();
  await page.getByRole('button', { name: 'Add a passkey …' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
  await page.locator('header summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await alter(service.databaseUrl, `update staff_identity set signed_in_at = now() - interval '12 hours'`);
  await page.goto('/console/sign-in?to=%2Fconsole%2Fsettings');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  const [session] = await rows<{ way: string }>(
    service.databaseUrl,
    'select way from staff_session where ended_at is null order by created_at desc limit 1',
  );
  expect(session?.way).toBe('provider');
});
