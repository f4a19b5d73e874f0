import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import type { TestService } from './ground/a-service.ts';
import { openLink, pasteLink } from './ground/open-link.ts';
import { service, useShared } from './ground/shared.ts';

// A session begins with a link that works once, and where it ends the next goes on with what is on screen.

useShared();

type Roles = Parameters<TestService['link']>[0];

const signedIn = (roles: Roles) => aPerson(service, roles);

async function anAnonymous(): Promise<WatchedPage> {
  const watched = await aPage(service.url);
  onTestFinished(() => watched.context.close());
  return watched;
}

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('a stranger is asked to sign in, and sees why a link does not work', async () => {
  const watched = await anAnonymous();
  const { page } = watched;
  await page.goto('/console/requests');
  await heading(watched, 'Sign in');
  // Asked who it is, the service has told the browser that it is nobody; browsers write every 401 down.
  watched.excuse(401);
  await expectFit(watched, 'sign-in');
  await page.getByLabel('Sign-in link').fill('http://localhost/console/in#none');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('has been used already').waitFor();
  await expectFit(watched, 'sign-in-refused');
});

test('a link signs in once, and its token leaves the address', async () => {
  const watched = await anAnonymous();
  const link = await service.link(['requester']);
  await openLink(watched.page, link);
  await heading(watched, 'Requests');
  expect(watched.page.url()).toBe(`${service.url}/console/requests`);
  expect(await watched.page.evaluate('document.cookie')).toBe('');
  const other = await anAnonymous();
  await other.page.goto(link);
  await other.page.getByText('has been used already').waitFor();
});

test('a session that ends leaves what is on screen, and continues with a new link', async () => {
  const watched = await signedIn(['verifier']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').fill('typed before the end');
  const staff_id = await page.evaluate<string>(
    `fetch('/console/api/sessions.me', { headers: { 'origin-secret': localStorage.getItem('origin-secret') } })
      .then((me) => me.json()).then(({ result }) => result.data.id)`,
  );
  // Whichever call meets the end first; the page's own may, and then the dialog is over the button.
  const meetTheEnd = async () => {
    await watched.context.clearCookies();
    await page.getByRole('button', { name: 'Release' }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  };
  await meetTheEnd();
  await pasteLink(page, (await service.client.staff.link({ staff_id })).link?.path ?? '');
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Plan name').inputValue()).toBe('typed before the end');

  // Somebody else, at the same screen, begins anew: the patient on it is not theirs to see.
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await page.getByLabel('Plan name').fill('typed before the end, and not saved');
  await meetTheEnd();
  await pasteLink(page, await service.link(['verifier']));
  await heading(watched, 'Work');
  expect(await page.content()).not.toContain('typed before the end');
  expect(questions).toEqual([]); // whether to keep it is not theirs to say
});
