import { changeSigned } from '@insurance-verification/store/testing';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { anAuthenticator } from './ground/an-authenticator.ts';
import { pasteLink } from './ground/open-link.ts';
import { openMenu } from './ground/open-menu.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: a test ages the sessions of everyone.
useOwn();

async function addPasskey({ page }: WatchedPage, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey …' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add it' }).click();
}

/** Lets the sign-ins of everyone count as old. The open page's calls meet no session whose row is not signed. */
function letSignInsAge(): Promise<void> {
  const proven_at = new Date(Date.now() - 16 * 60_000);
  const { databaseUrl: connectionString } = service;
  return changeSigned({ connectionString, encryptionKey: ENCRYPTION_KEY }, 'staff_session', (trx) =>
    trx.updateTable('staff_session').set({ proven_at }).execute(),
  );
}

test('a passkey is added, signs in, is fresh enough for what asks for it, and is removed', async () => {
  const watched = await aPerson(service, ['admin']);
  const { page } = watched;
  await anAuthenticator(watched);
  await openMenu(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('You have no passkey').waitFor();
  await page.getByRole('button', { name: 'Add a passkey …' }).click();
  await expectFit(watched, 'passkey-add');
  await page.getByRole('button', { name: 'Leave it' }).click();
  await addPasskey(watched, 'Laptop at the desk');
  await page.getByRole('row', { name: /Laptop at the desk.*Never/ }).waitFor();
  await openMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  await page.goto('/console/settings');
  const row = page.getByRole('row', { name: /Laptop at the desk/ });
  await row.waitFor();
  expect(await row.innerText()).not.toContain('Never');
  await page.getByRole('cell', { name: 'A passkey' }).waitFor();
  await expectFit(watched, 'settings');

  // The question is answered by the passkey itself, and what was asked for goes on.
  await letSignInsAge();
  watched.excuse(403);
  await page.getByRole('button', { name: 'Remove …' }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await expectFit(watched, 'fresh-sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('You have no passkey').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await openMenu(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  watched.excuse(401);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey is not known here').waitFor();
  await expectFit(watched, 'passkey-refused');
});

test('the browser’s own refusals are shown in words, and a second passkey on one device is refused', async () => {
  const watched = await aPerson(service, ['viewer']);
  const { page } = watched;
  const authenticator = await anAuthenticator(watched);
  await page.goto('/console/settings');
  await authenticator.verifies(false);
  await addPasskey(watched, 'Not me');
  await page.getByText('No passkey was used').waitFor();
  await page.getByRole('button', { name: 'Leave it' }).click();
  await authenticator.verifies(true);
  await addPasskey(watched, 'Phone');
  await page.getByRole('rowheader', { name: 'Phone' }).waitFor();
  await addPasskey(watched, 'Phone again');
  await page.getByText('This device has a passkey of yours already.').waitFor();
  await expectFit(watched, 'passkey-known');
});

test('at 127.0.0.1 the pages say where passkeys work', async () => {
  const watched = await aPage(service.url.replace('localhost', '127.0.0.1'));
  onTestFinished(() => watched.context.close());
  const { page } = watched;
  await page.goto('/console/sign-in');
  await page.getByText('Browsers allow passkeys only for a name, not for 127.0.0.1.').waitFor();
  expect(await page.getByRole('link', { name: /^http:\/\/localhost/ }).getAttribute('href')).toBe(
    `${service.url}/console/`,
  );
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await expectFit(watched, 'sign-in-by-address');
});

// Broke: a call that an ended session had sent brought the dialog back once the person had signed in again.
test('a late answer to the session before ends no session, and is done after all', async () => {
  const watched = await aPerson(service, ['admin']);
  const { page } = watched;
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  watched.excuse(401);
  const ended = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  const signedIn = Promise.withResolvers<void>();
  let askCount = 0;
  await page.route('**/console/api/accounts.create', async (route) => {
    askCount += 1;
    if (askCount > 1) return route.continue();
    await ended.promise;
    const answer = await route.fetch(); // with the cookie of the session that has ended
    refused.resolve();
    await signedIn.promise;
    return route.fulfill({ response: answer });
  });
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByLabel('Name').fill('Asked before, made after');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await expect.poll(() => askCount).toBe(1);
  const { items } = await service.client.sessions.list({ limit: 1 });
  const [{ session_id, staff_id } = { session_id: '', staff_id: '' }] = items;
  await service.client.sessions.end({ session_id });
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  ended.resolve();
  await refused.promise;
  const { link } = await service.client.staff.link({ staff_id });
  await pasteLink(page, link?.path ?? '');
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' });
  signedIn.resolve();
  await page.getByRole('rowheader', { name: 'Asked before, made after' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
