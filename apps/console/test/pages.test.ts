import { aBrowser } from '@insurance-verification/testing/a-browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit, keepPicture, type WatchedPage } from './a-page.ts';
import { startService, type TestService } from './a-service.ts';

// What people do on the pages; what each shows in each of its states is the table's.

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), aBrowser()]);
}, 120_000);
afterAll(() => Promise.all([service.stop(), browser.close()]));

type Roles = Parameters<TestService['link']>[0];

async function aStranger(): Promise<WatchedPage> {
  const watched = await aPage(browser, service.url);
  onTestFinished(() => watched.context.close());
  return watched;
}

async function signedIn(roles: Roles): Promise<WatchedPage> {
  const watched = await aStranger();
  await watched.page.goto(await service.link(roles));
  await watched.page.getByRole('banner').waitFor();
  await watched.page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  return watched;
}

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('a stranger is asked to sign in, and told why a link does not work', async () => {
  const watched = await aStranger();
  const { page } = watched;
  await page.goto('/console/requests');
  await heading(watched, 'Sign in');
  // Asked who it is, the service has told the browser that it is nobody; browsers write every 401 down.
  watched.excuse(401);
  await keepPicture(page, 'sign-in');
  await expectFit(watched, 'sign-in');
  await page.getByLabel('Sign-in link').fill('http://localhost/console/in#none');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('has been used already').waitFor();
  await expectFit(watched, 'sign-in-refused');
});

test('a link signs in once, and its token leaves the address', async () => {
  const watched = await aStranger();
  const link = await service.link(['requester']);
  await watched.page.goto(link);
  await heading(watched, 'Requests');
  expect(watched.page.url()).toBe(`${service.url}/console/requests`);
  expect(await watched.page.evaluate('document.cookie')).toBe('');
  const other = await aStranger();
  await other.page.goto(link);
  await other.page.getByText('has been used already').waitFor();
});

test('whom no page is for is told so, and an address that leads nowhere says that', async () => {
  const watched = await signedIn(['privacy']);
  await heading(watched, 'Nothing to show yet');
  await expectFit(watched, 'no-role');
  expect(await watched.page.getByRole('navigation').getByRole('link').count()).toBe(0);
  await watched.page.goto('/console/nowhere');
  await heading(watched, 'No such page');
  await expectFit(watched, 'no-such-page');
});

test('a request is found in the list, and its page tells what happened to it', async () => {
  const { request_id: id, input } = await service.aRequest({ cpt_code_coverage: ['D0120'] });
  await service.client.verificationOutput.submit({
    request: { request_id: id, input, received_timestamp: new Date().toISOString(), state: 'complete' },
    insurance_data: [
      {
        person_uuid: 'person-1',
        verification_time: new Date().toISOString(),
        verification_source: 'manual_phone_call',
        patient_info: input.patient_info,
        plan_info: { plan_name: 'Dental PPO Plus', eligibility_status: 'Active', start_date: '2026-01-01' },
      },
    ],
  });
  const watched = await signedIn(['requester']);
  const { page } = watched;
  await page.getByRole('link', { name: id }).waitFor();
  await page.getByLabel('State').selectOption('Pending');
  await page.getByText('No request meets these filters').waitFor();
  expect(page.url()).toContain('state=pending');
  await page.goBack();
  await page.getByRole('link', { name: id }).click();
  await page.getByText('Dental PPO Plus').waitFor();
  await page.getByText('No connection').first().waitFor();
  expect(await page.title()).toBe(`${id} · Insurance Verification`);
});

test('a request is closed after a question, and the page says so', async () => {
  const watched = await signedIn(['requester', 'operator']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await page.goto(`/console/requests/${id}`);
  await page.getByRole('button', { name: 'Close …' }).click();
  await page.getByText('This cannot be undone').waitFor();
  await expectFit(watched, 'request-close');
  await page.getByRole('button', { name: 'Close the request' }).click();
  await page.getByText('withdrawn', { exact: true }).waitFor();
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ error_reason: 'withdrawn' });
  expect(watched.complaints).toEqual([]);
});

test('a session that ends leaves what is on screen, and goes on with a new link', async () => {
  const watched = await signedIn(['verifier']);
  const { page } = watched;
  const { request_id: id } = await service.aRequest();
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').fill('typed before the end');
  const staff_id = await page.evaluate<string>(
    `fetch('/console/api/sessions.me').then((me) => me.json()).then(({ result }) => result.data.id)`,
  );
  // Whichever call meets the end first; the page's own may, and then the dialog is over the button.
  const meetTheEnd = async () => {
    await watched.context.clearCookies();
    await page.getByRole('button', { name: 'Give back' }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  };
  await meetTheEnd();
  await page
    .getByRole('dialog')
    .getByLabel('Sign-in link')
    .fill((await service.client.staff.link({ staff_id })).link?.path ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
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
  await page
    .getByRole('dialog')
    .getByLabel('Sign-in link')
    .fill(await service.link(['verifier']));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(watched, 'Work');
  expect(await page.content()).not.toContain('typed before the end');
  expect(questions).toEqual([]); // whether to keep it is not theirs to say
});

test('what is held is compared with what was asked, and applied after a second look', async () => {
  const watched = await signedIn(['operator']);
  const { page } = watched;
  watched.excuse(403); // an operator's first page asks for a list that is not theirs
  await page.getByRole('link', { name: 'Held outputs' }).click();
  await page.getByText('Nothing is held').waitFor();
  const { request_id: id, input } = await service.aRequest();
  await service.client.verificationOutput.submit({
    request: {
      request_id: id,
      input: { ...input, patient_info: { ...input.patient_info, subscriber_id: 'W123456798' } },
      received_timestamp: new Date().toISOString(),
      state: 'error_verifying',
      error_reason: 'member_not_found',
    },
    insurance_data: [],
  });
  await page.reload();
  await page.getByRole('cell', { name: 'Another patient?' }).waitFor();
  await page.getByRole('link', { name: /^held_/ }).click();
  await page.getByText('Held as input_mismatch: the member id differs.').waitFor();
  await page.getByText('⇄ asked: swapped').waitFor();
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await page.getByText('The patient may be another: the member id differs.').waitFor();
  await page.getByText('A webhook goes to').waitFor();
  await page.getByLabel('The request’s last four characters').fill('none');
  expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
  await expectFit(watched, 'held-apply');
  await page.getByLabel('The request’s last four characters').fill(id.slice(-4));
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('Applied').waitFor();
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ state: 'error_verifying' });
});

test('j and k go through what is held, and stay at its ends', async () => {
  const ids: string[] = [];
  for (const code of ['member_not_found', 'payer_unavailable'] as const) {
    const { request_id: id, input } = await service.aRequest();
    const { held_id: heldId = '' } = await service.client.verificationOutput.submit({
      request: {
        request_id: id,
        input: { ...input, patient_info: { ...input.patient_info, subscriber_id: 'W123456798' } },
        received_timestamp: new Date().toISOString(),
        state: 'error_verifying',
        error_reason: code,
      },
      insurance_data: [],
    });
    ids.unshift(heldId); // newest first, as they are listed
  }
  const [newer = '', older = ''] = ids;
  const watched = await signedIn(['operator']);
  const { page } = watched;
  await page.goto(`/console/held/${newer}`);
  await heading(watched, newer);
  // Pressed again while the list is being read: at an end it changes nothing.
  const leadsTo = (key: string, id: string) =>
    expect
      .poll(async () => {
        await page.keyboard.press(key);
        return page.getByRole('heading', { level: 1, name: id }).isVisible();
      })
      .toBe(true);
  await leadsTo('j', older);
  await leadsTo('k', newer);
  await page.keyboard.press('k');
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Dismiss the held output' }).waitFor();
  await heading(watched, newer);
});

test('an account and a key are made, and the key is shown once', async () => {
  const watched = await signedIn(['admin']);
  const { page } = watched;
  await heading(watched, 'Accounts');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.getByLabel('Name').fill('Main Street Dental');
  await expectFit(watched, 'account-make');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('rowheader', { name: 'Main Street Dental' }).waitFor();
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page
    .getByLabel('Account', { exact: true })
    .selectOption({ label: 'Main Street Dental (live, provider)' });
  await page.getByLabel('Name').fill('Intake');
  await expectFit(watched, 'key-make');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByText(/^ivk_live_[0-9a-z]{30,}$/).innerText();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('cell', { name: 'Intake' }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page
    .getByRole('row', { name: /Intake/ })
    .getByRole('button', { name: 'Revoke …' })
    .click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('Revoked').waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page
    .getByRole('row', { name: /Main Street/ })
    .getByRole('button', { name: 'Suspend …' })
    .click();
  await page.getByRole('button', { name: 'Suspend the account' }).click();
  await page.getByText('Suspended').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Suspended').waitFor({ state: 'detached' });
  expect(watched.complaints).toEqual([]);
});

test('an account’s limits are set and taken back, and a wrong one is told at its field', async () => {
  const { account_id: id } = await service.client.accounts.create({ name: 'Limited Dental' });
  const watched = await signedIn(['admin']);
  const { page } = watched;
  const open = () =>
    page
      .getByRole('row', { name: /Limited Dental/ })
      .getByRole('button', { name: 'Limits …' })
      .click();
  await open();
  await page.getByLabel('Requests created').fill('120,000 in 60 s');
  await page.getByLabel(/^Networks/).fill('203.0.113.0/24');
  await expectFit(watched, 'account-limits');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page.getByRole('heading', { name: 'Limits of Limited Dental' }).waitFor({ state: 'detached' });
  const intake = async () => (await service.client.accounts.limits({ account_id: id })).policies.intake;
  expect(await intake()).toEqual({ quota: 120_000, window_seconds: 60, overridden: true });
  await open();
  await page.getByLabel('Rows read').fill('many');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page
    .getByText(/Input should be/)
    .first()
    .waitFor();
  watched.excuse(422);
  await expectFit(watched, 'account-limits-wrong');
  await page.getByLabel('Rows read').fill('');
  await page.getByLabel('Requests created').fill('');
  await page.getByRole('button', { name: 'Set the limits' }).click();
  await page.getByRole('heading', { name: 'Limits of Limited Dental' }).waitFor({ state: 'detached' });
  expect(await intake()).toMatchObject({ overridden: false });
});

test('the webhook secret is shown when asked for, and a new one beside the one before', async () => {
  const watched = await signedIn(['admin']);
  const { page } = watched;
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Webhook secret …' }).click();
  expect(await page.getByText(/^whsec_/).count()).toBe(0);
  await page.getByRole('button', { name: 'Show it' }).click();
  const before = await page.getByText(/^whsec_/).innerText();
  await page.getByRole('button', { name: 'Make a new one' }).click();
  await page.getByText('The one before signs too until').waitFor();
  expect(
    await page
      .getByText(/^whsec_/)
      .nth(1)
      .innerText(),
  ).toBe(before);
  await expectFit(watched, 'webhook-secret');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.content()).not.toContain('whsec_');
});

test('the audit tells who did what, and what is asked of it stands in the address', async () => {
  const watched = await signedIn(['auditor']);
  const { page } = watched;
  await heading(watched, 'Audit');
  await page.getByRole('cell', { name: 'sessions.signIn' }).first().waitFor();
  await page.getByLabel('Operation').fill('nothing.atAll');
  await page.getByLabel('Operation').press('Enter');
  await page.getByText('No line of the audit meets this').waitFor();
  expect(page.url()).toContain('operation=nothing.atAll');
  await page.goto('/console/audit?until=2020-01-01T00%3A00%3A00Z');
  await page.getByText('No line of the audit meets this').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('cell', { name: 'sessions.signIn' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('the keys are listed, and those of one letter can be switched off', async () => {
  const watched = await signedIn(['verifier']);
  const { page } = watched;
  await heading(watched, 'Work');
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await expectFit(watched, 'keys');
  await page.getByLabel('Keys of one letter').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('u');
  expect(await page.getByRole('button', { name: 'UTC' }).getAttribute('aria-pressed')).toBe('false');
});
