import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aFinished } from './ground/a-finished.ts';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

// A request is made, or made anew from an earlier one: once, and with its faults shown at its fields.

useShared();

const operationsOf = async (requestId: string, name: string) => {
  const { items } = await service.client.requests.readers({ request_id: requestId });
  return items.filter((item) => item.name === name).map((item) => item.operation);
};

test('a new request is judged by the model at its fields, sent once, and leads to its page', async () => {
  const watched = await aPerson(service, ['requester']);
  const { page } = watched;
  await page.getByRole('button', { name: 'New request' }).click();
  await page.getByRole('heading', { name: 'New request' }).waitFor();
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('Field required').first().waitFor();
  expect(await page.locator(':focus').getAttribute('name')).toBe('patient_info.subscriber_id');
  await page.getByLabel('Member id').fill('W-PAGE-NEW');
  await page.getByLabel('Date of birth').fill('1984-05-17');
  await page.getByLabel('Plan').selectOption('Meridian Health Plan');
  await page.getByLabel('NPI').fill('1234567893');
  await page.getByRole('group', { name: 'Provider' }).getByLabel('Name', { exact: true }).fill('Dr. Roe');
  await page.getByLabel('Procedure codes').fill('D0120 D1110');
  await page.getByLabel('Callback address').fill('no address');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/Input should be a valid URL/).waitFor();
  await expectFit(watched, 'request-new-fault');
  await page.getByLabel('Callback address').fill('http://127.0.0.1:9/verified');
  // What comes to the service differs from what the page judged: the service's own fault shows at the field.
  await page.route('**/requests.create*', (route) =>
    route.continue({
      postData: route.request().postData()?.replace('1234567893"', '1234567893","tin":7') ?? '',
    }),
  );
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.locator('[id="provider_info.tin-fault"]').waitFor();
  await page.unroute('**/requests.create*');
  watched.excuse(422);
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('W-PAGE-NEW').waitFor();
  await page.getByText('D0120, D1110').waitFor();
  const { items } = await service.client.requests.search({ subscriber_id: 'W-PAGE-NEW' });
  expect(items).toHaveLength(1);
  expect(watched.complaints).toEqual([]);
});

// Broke: NPI 12 and http://10.0.0.1/x were sent without a word, and the day of the visit could not be said at all.
test('a new request shows what cannot be right, takes the day and the time, and the service’s faults of them', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/requests/new' });
  const { page } = watched;
  await page.getByLabel('Member id').fill('W-PAGE-WHEN');
  await page.getByLabel('Date of birth').fill('1984-05-17');
  await page.getByLabel('Plan').selectOption('Meridian Health Plan');
  await page.getByRole('group', { name: 'Provider' }).getByLabel('Name', { exact: true }).fill('Dr. Roe');
  const npi = '12 is no NPI: ten digits, and its last one is a check digit.';
  await page.getByLabel('NPI').fill('12');
  expect(await page.getByText(npi).count()).toBe(0);
  await page.getByLabel('Callback address').fill('http://10.0.0.1/x');
  await page.getByText(npi).waitFor();
  const visit = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Day of service').fill('2020-01-01');
  await page.getByText('Nothing is sent to a private address.').waitFor();
  await page.getByLabel('Needed by').fill(visit);
  await page.getByLabel('Time', { exact: true }).fill('12:30');
  await expectFit(watched, 'request-new-doubts');
  watched.excuse(422);
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('Value should be a day at most a year before or after today').waitFor();
  expect(await page.locator(':focus').getAttribute('name')).toBe('service-date');
  await page.getByLabel('Day of service').fill(visit);
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/^req_/).waitFor();
  const { items } = await service.client.requests.search({ subscriber_id: 'W-PAGE-WHEN' });
  const { service_date, needed_by } = await service.client.requests.view({
    request_id: items[0]?.request_id ?? '',
  });
  const typed = await page.evaluate<string>(`new Date('${visit}T12:30').toISOString()`);
  expect([service_date, needed_by]).toEqual([visit, typed]);
  expect(watched.complaints).toEqual([]);
});

// Broke: on an installation in production the form showed the words of the API.
test('a callback address that the service refuses is reported in the words of the form', async () => {
  const watched = await aPerson(service, ['requester']);
  const { page } = watched;
  const { id } = await aFinished(service);
  await page.goto(`/console/requests/${id}`);
  await page.getByRole('button', { name: 'New from this one' }).click();
  await page.getByLabel('Callback address').fill('https://10.1.2.3/verified');
  const fault = {
    loc: ['body', 'callback_url'],
    msg: 'URL should lead to a public address',
    type: 'callback_url_blocked',
  };
  await page.route('**/requests.create*', (route) =>
    route.fulfill({
      status: 422,
      json: {
        error: {
          message: 'x',
          code: -32_600,
          data: { code: 'BAD_REQUEST', httpStatus: 422, detail: [fault] },
        },
      },
    }),
  );
  watched.excuse(422);
  await page.getByRole('button', { name: 'Send the request' }).click();
  const shown = page.locator('[id="callback_url-fault"]');
  expect(await shown.textContent()).toBe('Nothing is sent to a private address.');
});

// The answer to a first try may be lost, and the second must make no second request.
test('a form that is sent twice makes one request, and says so when it was changed between', async () => {
  const watched = await aPerson(service, ['requester']);
  const { page } = watched;
  const { id } = await aFinished(service);
  await page.goto(`/console/requests/${id}`);
  await page.getByRole('button', { name: 'New from this one' }).click();
  await page.getByLabel('Member id').fill('W-PAGE-TWICE');
  await page.route('**/requests.create*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('The service does not answer').waitFor();
  await page.unroute('**/requests.create*');
  await page.getByLabel('Member id').fill('W-PAGE-OTHER');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('This form was sent before it was changed').waitFor();
  await page.getByLabel('Member id').fill('W-PAGE-TWICE');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/^req_/).waitFor();
  const { items } = await service.client.requests.search({ subscriber_id: 'W-PAGE-TWICE' });
  expect(items).toHaveLength(1);
});

test('a new request from an earlier one has its values, which were read again, and none in its address', async () => {
  const { id, subscriber_id } = await aFinished(service);
  const watched = await aPerson(service, ['requester'], {
    name: 'Rita Requester',
    at: `/console/requests/${id}`,
  });
  const { page } = watched;
  await page.getByRole('button', { name: 'New from this one' }).click();
  await page.getByLabel('Full name').waitFor();
  expect(await page.getByLabel('Member id').inputValue()).toBe(subscriber_id);
  expect(page.url()).toMatch(/\/console\/requests\/new$/);
  await expectFit(watched, 'request-new-from');
  await until('the read is on record', async () =>
    (await operationsOf(id, 'Rita Requester')).includes('requests.get'),
  );
});

test('a person who may not post requests sees which role does', async () => {
  const viewer = await aReader(service, ['viewer']);
  const list = await viewer.open('/requests');
  expect(list.only('h1').text).toBe('Requests');
  expect(list.all('button').map(({ text }) => text)).not.toContain('New request');
  expect((await viewer.open('/requests/new')).only('main').text).toContain('It needs the role requester');
});

test('a form that somebody began is not lost by a reload without a question', async () => {
  const watched = await aPerson(service, ['requester']);
  const { page } = watched;
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.goto('/console/requests/new');
  await page.getByLabel('Member id').fill('W-PAGE-RELOAD');
  await page.evaluate('setTimeout(() => location.reload(), 0)');
  await expect.poll(() => asked).toEqual(['beforeunload']);
  expect(await page.getByLabel('Member id').inputValue()).toBe('W-PAGE-RELOAD');
});

/** Fills what every request needs, and leaves the days. */
async function fillAsked(page: Page, memberId: string) {
  await page.getByLabel('Member id').fill(memberId);
  await page.getByLabel('Plan').selectOption('Meridian Health Plan');
  await page.getByLabel('NPI').fill('1234567893');
  await page.getByRole('group', { name: 'Provider' }).getByLabel('Name', { exact: true }).fill('Dr. Roe');
}

const madeFor = async (memberId: string) => {
  const [made] = (await service.client.requests.search({ subscriber_id: memberId })).items;
  return service.client.requests.get({ request_id: made?.request_id ?? '' });
};

// Broke: the form took 03/04/84 as it was typed, refused 3/4/26 as a day of service, and had a reader of its own for each.
test('every day is typed as at the bench: read aloud, and asked back where it is two, never guessed', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/requests/new' });
  const { page } = watched;
  await fillAsked(page, 'W-PAGE-DAYS');
  await page.getByLabel('Callback address').fill('http://127.0.0.1:9/days');
  await page.getByLabel('Date of birth').fill('3/4/84');
  await page.getByLabel('Day of service').fill('today');
  const [year, month, day] = (
    await page.evaluate<string>(
      `[new Date().getFullYear(), new Date().getMonth() + 1, new Date().getDate()].join()`,
    )
  )
    .split(',')
    .map(Number);
  const today = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  await page.getByLabel('Needed by').fill(`${(year ?? 0) + 1}0229`);
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByRole('group', { name: 'which day is 3/4/84?' }).waitFor();
  await page.getByText('Type a day: 1/31/2026, 20260131 or today.').waitFor();
  await expectFit(watched, 'request-new-which-day');
  expect((await service.client.requests.search({ subscriber_id: 'W-PAGE-DAYS' })).items).toEqual([]);
  await page.getByRole('button', { name: 'Apr 3, 1984' }).click();
  await page.getByLabel('Needed by').fill(`${(year ?? 0) + 1}0131`);
  await page.getByText(`Jan 31, ${(year ?? 0) + 1}`).waitFor();
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/^req_/).waitFor();
  const made = await madeFor('W-PAGE-DAYS');
  expect(made.input.patient_info.dob).toBe('1984-04-03');
  const view = await service.client.requests.view({ request_id: made.request_id ?? '' });
  expect(view.service_date).toBe(today);
  const end = await page.evaluate<string>(`new Date('${(year ?? 0) + 1}-01-31T23:59').toISOString()`);
  expect(view.needed_by).toBe(end);
  expect(watched.complaints).toEqual([]);
});

// Broke: a clinic typed the same address for each of its requests.
test('the callback address is filled in as the account used it last, and can be another', async () => {
  await service.aRequest({ callback_url: 'http://127.0.0.1:9/usual' });
  const { page } = await aPerson(service, ['requester'], { at: '/console/requests/new' });
  await expect.poll(() => page.getByLabel('Callback address').inputValue()).toBe('http://127.0.0.1:9/usual');
  await page.reload(); // nothing was typed: nobody is asked
  await page.getByLabel('Date of birth').fill('1984-05-17');
  await fillAsked(page, 'W-PAGE-USUAL');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText(/^req_/).waitFor();
  expect((await madeFor('W-PAGE-USUAL')).input.callback_url).toBe('http://127.0.0.1:9/usual');
});

test('the payer is found by what the card says, and the person chooses it', async () => {
  const watched = await aPerson(service, ['requester'], { at: '/console/requests/new' });
  const { page } = watched;
  const card = page.getByLabel('What the card says');
  await card.fill('nobody’s insurance');
  await page.getByText('No payer here has this').waitFor();
  await card.fill('meridian ppo gold');
  await page.getByText('has MERIDIAN in its name').waitFor();
  expect(await page.getByLabel('Plan').inputValue()).toBe('');
  await expectFit(watched, 'request-new-payer');
  await page.getByRole('button', { name: 'Meridian Health Plan' }).click();
  expect(await page.getByLabel('Plan').inputValue()).toBe('Meridian Health Plan');
  expect(watched.complaints).toEqual([]);
});
