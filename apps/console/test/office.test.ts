import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SIGN_IN_REFUSALS } from '@insurance-verification/schema';
import { freePort } from '@insurance-verification/testing/free-port';
import { inherited } from '@insurance-verification/testing/inherited';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { anAuthenticator, type VirtualAuthenticator } from './ground/an-authenticator.ts';
import { openMenu } from './ground/open-menu.ts';
import { service, useOwn } from './ground/shared.ts';

// An office without an identity provider: five people, passkeys, and no other way in.

const port = await freePort();
useOwn({ SIGN_IN: 'passkeys', PUBLIC_URL: `http://localhost:${port}`, PORT: String(port) });

const IV = fileURLToPath(new URL('../../cli/src/main.js', import.meta.url));

/** Runs `iv staff invite` on the machine of the service. @returns the link that it prints. */
async function ivInvite(staffId: string): Promise<string> {
  const command = ['--conditions=@insurance-verification/source', IV, '--json', 'staff', 'invite', staffId];
  const env = { ...inherited(), IV_URL: service.url, IV_API_KEY: API_KEY };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const { link } = JSON.parse(stdout) as { link: { url: string } };
  return link.url;
}

/** A browser of a person, with the passkeys of its laptop. */
interface Desk extends WatchedPage {
  readonly laptop: VirtualAuthenticator;
}

async function aDesk(): Promise<Desk> {
  const watched = await aPage(service.url);
  onTestFinished(() => watched.context.close());
  return { ...watched, laptop: await anAuthenticator(watched) };
}

/** Opens an invitation and makes the passkey that it asks for. */
async function makePasskey({ page }: Desk, invitation: string): Promise<void> {
  await page.goto(invitation);
  await page.getByRole('button', { name: 'Make a passkey and sign in' }).click();
  await page.getByRole('heading', { name: 'A second passkey' }).waitFor();
}

/** A person who takes up an invitation, and has no second device at hand. */
async function arrive(invitation: string): Promise<Desk> {
  const desk = await aDesk();
  await makePasskey(desk, invitation);
  await desk.page.getByRole('button', { name: 'Not now' }).click();
  await desk.page.getByRole('banner').waitFor();
  return desk;
}

const signInAgain = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

async function signOut({ page }: Desk): Promise<void> {
  await openMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

/** The link in the dialog that shows it once. */
async function shownLink(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `Send ${name} this invitation` });
  const link = await dialog.locator('code').innerText();
  await dialog.getByRole('button', { name: 'I have it' }).click();
  return link;
}

/** Adds a person on the page of staff. */
async function invite(page: Page, name: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('checkbox', { name: role }).check();
  await page.getByRole('button', { name: 'Add the person' }).click();
  return shownLink(page, name);
}

test('a day of an office of five, by passkeys only', { timeout: 120_000 }, async () => {
  // The first administrator is invited on the machine, and makes two passkeys.
  const ada = await aDesk();
  const { link, staff_id } = await service.client.staff.add({
    name: 'Ada Moore',
    roles: ['admin', 'auditor'],
  });
  await ada.page.goto(link?.url ?? '');
  await ada.page.getByText('This invitation is for Ada Moore of the platform.').waitFor();
  expect(ada.page.url()).toBe(`${service.url}/console/sign-in`);
  await expectFit(ada, 'office-invitation');
  await ada.page.getByRole('button', { name: 'Make a passkey and sign in' }).click();
  await ada.page.getByText('You are signed in. Add a second passkey').waitFor();
  await expectFit(ada, 'office-second-passkey');
  await ada.laptop.isTouched(false);
  const securityKey = await anAuthenticator(ada, 'usb');
  await ada.page.getByLabel('Name').fill('Security key');
  await ada.page.getByRole('button', { name: 'Add a second passkey' }).click();
  await ada.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  expect([await ada.laptop.count(), await securityKey.count()]).toEqual([1, 1]);

  // She invites the others, and each makes a passkey of their own.
  await ada.page.goto('/console/staff');
  const invitations = [
    await invite(ada.page, 'Cal Reyes', 'verifier'),
    await invite(ada.page, 'Bea Ortiz', 'verifier'),
    await invite(ada.page, 'Dev Shah', 'operator'),
    await invite(ada.page, 'Eve Park', 'requester'),
  ] as const;
  const rowOf = (name: string) => ada.page.getByRole('row', { name: new RegExp(name) }).first();
  await rowOf('Cal Reyes')
    .getByText(/^Invited until [A-Z][a-z]{2} \d/)
    .waitFor();
  expect(await rowOf('Cal Reyes').getByText('May sign in').count()).toBe(0);
  await expectFit(ada, 'office-invited');
  const [cal, bea, dev, eve] = await Promise.all([
    arrive(invitations[0]),
    arrive(invitations[1]),
    arrive(invitations[2]),
    arrive(invitations[3]),
  ]);

  // Somebody with one passkey is asked for a second in the settings.
  await eve.page.goto('/console/settings');
  await eve.page.getByText('Add a second passkey, on another device').waitFor();
  await eve.page.getByRole('button', { name: 'Remove …' }).click();
  await eve.page.getByText('This is your only passkey.').waitFor();
  await expectFit(eve, 'office-only-passkey');
  await eve.page.getByRole('button', { name: 'Add a second first …' }).click();
  await eve.page.getByRole('dialog', { name: 'Add a passkey' }).waitFor();

  // Eve asks, Bea verifies, Dev looks.
  await eve.page.goto('/console/requests/new');
  await eve.page.getByLabel('Member id').fill('W-OFFICE-1');
  await eve.page.getByLabel('Date of birth').fill('1984-05-17');
  await eve.page.getByLabel('Plan').selectOption('Bluefield Dental PPO');
  await eve.page.getByLabel('NPI').fill('1234567893');
  await eve.page.getByRole('group', { name: 'Provider' }).getByLabel('Name', { exact: true }).fill('Dr. Roe');
  await eve.page.getByLabel('Callback address').fill('http://127.0.0.1:9/verified');
  await eve.page.getByRole('button', { name: 'Send the request' }).click();
  await eve.page.waitForURL(/\/requests\/req_/);
  const path = new URL(eve.page.url()).pathname;
  await bea.page.goto(path.replace('/requests/', '/work/'));
  await bea.page.getByRole('button', { name: 'Take it' }).click();
  await bea.page.getByRole('radio', { name: 'Active', exact: true }).check();
  await bea.page.getByLabel('Plan name').fill('PPO Gold');
  await bea.page.keyboard.press('Control+Shift+Enter');
  const wayBack = ivInvite(staff_id); // needed at the end of the day

  // Meanwhile Cal's laptop is lost: the administrator removes its passkey, and invites him again.
  await ada.page.goto('/console/staff');
  await rowOf('Cal Reyes').getByText('May sign in').waitFor();
  expect(await rowOf('Cal Reyes').getByText('Invited until').count()).toBe(0);
  await expectFit(ada, 'office-staff');
  await ada.page.getByRole('button', { name: 'Change … Cal Reyes' }).click();
  await ada.page.getByRole('row', { name: /Chrome on Linux/ }).waitFor();
  await expectFit(ada, 'office-person');
  await ada.page.getByRole('button', { name: 'Remove … Chrome on Linux' }).click();
  await ada.page.getByText('Ask Cal Reyes to add a second passkey first, unless this one is lost.').waitFor();
  await ada.page.getByRole('button', { name: 'Remove the passkey' }).click();
  await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
  await ada.page.getByRole('button', { name: 'Change … Cal Reyes' }).click();
  await ada.page.getByRole('button', { name: 'Make an invitation' }).click();
  const again = await shownLink(ada.page, 'Cal Reyes');
  // Its browser stops offering it.
  await signOut(cal);
  await expectFit(cal, 'office-sign-in');
  cal.excuse(401);
  await signInAgain(cal.page);
  await cal.page.getByText(SIGN_IN_REFUSALS.passkey_unknown).waitFor();
  await expect.poll(() => cal.laptop.count()).toBe(0);
  const calAgain = await arrive(again);
  await calAgain.page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();

  // By now the result is sent.
  await dev.page.goto(path);
  await dev.page.getByText('Verified').first().waitFor({ timeout: 30_000 });
  await dev.page.getByText('PPO Gold').first().waitFor();
  await signOut(dev);
  await signInAgain(dev.page);
  await dev.page.getByRole('banner').getByText('Dev Shah').waitFor();

  // The only administrator has lost both: the way back is on the machine.
  const back = await aDesk();
  await back.page.goto(await wayBack);
  await back.page.getByRole('button', { name: 'Make a passkey and sign in' }).click();
  await back.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  for (const { complaints } of [ada, bea, cal, calAgain, dev, eve, back]) expect(complaints).toEqual([]);
});

/** A page of another origin of this machine, where a passkey of `localhost` may be asked. */
async function aForeignOrigin(): Promise<string> {
  const server = createServer((_, res) => res.setHeader('content-type', 'text/html').end('<title>x</title>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

const GET = `async (options) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}`;

const OWN = { 'sec-fetch-site': 'same-origin', 'origin-secret': 'A'.repeat(43) };

test('a passkey signs in neither from another origin nor by a repeated answer', async () => {
  const desk = await arrive(await service.link(['verifier'], 'Fay Lind'));
  const { page, context } = desk;
  await signOut(desk);
  const elsewhere = await aForeignOrigin();
  const begun = await context.request.post('/console/api/sign-in/passkey/begin', { headers: OWN, data: {} });
  await page.goto(elsewhere);
  const signed = await page.evaluate<unknown>(`(${GET})(${await begun.text()})`);
  const answer = await context.request.post('/console/api/sign-in/passkey', { headers: OWN, data: signed });
  expect([answer.status(), await answer.json()]).toMatchObject([401, { refusal: 'passkey_elsewhere' }]);

  await page.goto('/console/sign-in');
  const sending = page.waitForRequest(/sign-in\/passkey$/);
  await signInAgain(page);
  const sent = await sending;
  await page.getByRole('banner').waitFor();
  const { cookie = '' } = await sent.allHeaders();
  const repeated = await context.request.post('/console/api/sign-in/passkey', {
    headers: { ...OWN, cookie },
    data: sent.postDataJSON() as unknown,
  });
  expect([repeated.status(), await repeated.json()]).toMatchObject([401, { refusal: 'passkey_used' }]);
});

test('an invitation makes one passkey, and only of a browser that checks its user', async () => {
  const invitation = await service.link(['verifier'], 'Gus Hale');
  const desk = await aDesk();
  await desk.laptop.verifies(false);
  await desk.page.goto(invitation);
  await desk.page.getByRole('button', { name: 'Make a passkey and sign in' }).click();
  await desk.page.getByText('No passkey was used').waitFor();
  await desk.laptop.verifies(true);
  await desk.page.getByRole('button', { name: 'Make a passkey and sign in' }).click();
  await desk.page.getByRole('heading', { name: 'A second passkey' }).waitFor();
  const other = await aDesk();
  other.excuse(401);
  await other.page.goto(invitation);
  await other.page.getByText('This link has been used already, or is too old.').waitFor();
  expect(await other.laptop.count()).toBe(0);
});

test('who takes up their own invitation for somebody else is named in the lines of that session', async () => {
  const admin = await arrive(await service.link(['admin'], 'Ivy Cole'));
  const { page } = admin;
  await page.goto('/console/staff');
  const invitation = await invite(page, 'Jo Marsh', 'privacy');
  await page.goto('about:blank');
  await page.goto(invitation);
  await page.getByText('You are signed in as Ivy Cole. If you go on, that session ends.').waitFor();
  await makePasskey(admin, invitation);
  await expect
    .poll(async () => (await service.client.audit.list({ limit: 5, name: 'Jo Marsh' })).items)
    .toContainEqual(expect.objectContaining({ link_by_name: 'Ivy Cole' }));
});
