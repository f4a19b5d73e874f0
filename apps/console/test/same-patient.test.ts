import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useShared } from './ground/shared.ts';

// Families share a member id: what a verifier typed about one of them must not reach the provider of another.

useShared();

let watched: WatchedPage;
let page: Page;
beforeEach(async () => {
  watched = await aPerson(service, ['verifier'], { at: null });
  ({ page } = watched);
});

const PATIENT = { subscriber_id: 'W123456789', dob: '1984-05-17', name: 'Jane Doe' };

/** A request on the table, Active chosen, with the fields open for what the payer holds of the patient. */
async function aBench(): Promise<string> {
  const { request_id: id } = await service.aRequest({ patient_info: PATIENT });
  onTestFinished(
    async () =>
      void (await service.client.requests.close({ request_id: id, reason: 'withdrawn' }).catch(() => {})),
  );
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('The payer has another member id or date of birth').click();
  return id;
}

const memberId = () => page.getByLabel('Member id at the payer');
const birthDate = () => page.getByLabel('Date of birth at the payer');
const question = () => page.getByRole('checkbox', { name: 'I made sure that it is this patient' });
const focused = (id: RegExp) => expect.poll(() => page.locator(':focus').getAttribute('id')).toMatch(id);
const submitted = () => page.getByText('The result is accepted').waitFor();
const attemptOf = async (id: string) => (await service.client.requests.attempts({ request_id: id })).items[0];

/** What the page hands in, from now on. */
function handedIn(): object[] {
  const sent: object[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/work.submit')) sent.push(request.postDataJSON() as object);
  });
  return sent;
}

test('another birth date is refused on the page, at its field', async () => {
  const id = await aBench();
  const sent = handedIn();
  await birthDate().fill('5/18/84');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The birth date differs from the request’s: this is another patient.').waitFor();
  await focused(/^dob-/);
  await expectFit(watched, 'workbench-another-patient');
  await birthDate().fill('5/17/84');
  await page.keyboard.press('Control+Shift+Enter');
  await submitted();
  expect(sent).toHaveLength(1);
  expect(sent[0]).not.toHaveProperty('same_patient_confirmed');
  expect(await attemptOf(id)).not.toHaveProperty('same_patient_confirmed');
});

test('where it cannot be known, one box is ticked only by keys, and kept with the attempt', async () => {
  const id = await aBench();
  const sent = handedIn();
  await memberId().fill('K-77');
  await birthDate().fill('');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('The member id does not show that this is the request’s patient.').waitFor();
  await focused(/^same-/);
  await expectFit(watched, 'workbench-same-patient');
  await page.keyboard.press('Control+Shift+Enter');
  await focused(/^same-/);
  await page.keyboard.press('Space');
  // Other fields are no reason to ask again.
  await page.getByLabel('Plan name').fill('Gold');
  expect(await question().isChecked()).toBe(true);
  await page.keyboard.press('Control+Shift+Enter');
  await submitted();
  expect(sent).toMatchObject([{ same_patient_confirmed: true }]);
  expect(await attemptOf(id)).toMatchObject({ same_patient_confirmed: true });
});

test('the tick is forgotten when what the payer holds of the patient changes', async () => {
  await aBench();
  const sent = handedIn();
  await memberId().fill('K-77');
  await birthDate().fill('');
  await page.keyboard.press('Control+Shift+Enter');
  await focused(/^same-/);
  await page.keyboard.press('Space');
  await memberId().fill('K-78');
  await question().waitFor({ state: 'detached' });
  await memberId().fill('K-77');
  await page.keyboard.press('Control+Shift+Enter');
  await focused(/^same-/);
  expect(await question().isChecked()).toBe(false);
  // A birth date that agrees makes it certain: the box goes, and nothing is confirmed.
  await birthDate().fill('1984-05-17');
  await page.keyboard.press('Control+Shift+Enter');
  await submitted();
  expect(sent).toHaveLength(1);
  expect(sent[0]).not.toHaveProperty('same_patient_confirmed');
});

test('a tick is not kept with the draft: after a reload the question comes again', async () => {
  const id = await aBench();
  await memberId().fill('K-77');
  await birthDate().fill('');
  await page.keyboard.press('Control+Shift+Enter');
  await focused(/^same-/);
  await page.keyboard.press('Space');
  await page.getByText(/^Saved \d+ s ago$/).waitFor();
  await page.reload();
  await expect.poll(() => memberId().inputValue()).toBe('K-77');
  await page.keyboard.press('Control+Shift+Enter');
  await focused(/^same-/);
  expect(await question().isChecked()).toBe(false);
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ state: 'pending' });
});

// A page may be older than the service's rule; here the service gets another entry than the page has checked.
test('what only the service asks about is the same question, not a dead end', async () => {
  const id = await aBench();
  const sent = handedIn();
  await page.route(
    '**/work.submit',
    async (route) => {
      const body = route.request().postDataJSON() as { insurance_data: { patient_info: object }[] };
      const [entry] = body.insurance_data;
      const unclear = { ...entry, patient_info: { subscriber_id: 'K-77', name: PATIENT.name } };
      await route.continue({ postData: { ...body, insurance_data: [unclear] } });
    },
    { times: 1 },
  );
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('It was not sent. Confirm that it is the request’s patient').waitFor();
  watched.excuse(422);
  await page.getByRole('button', { name: 'Open it' }).press('Enter');
  await focused(/^same-/);
  await expectFit(watched, 'workbench-same-patient-asked');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Shift+Enter');
  await submitted();
  expect(sent.at(-1)).toMatchObject({ same_patient_confirmed: true });
  expect(await attemptOf(id)).toMatchObject({ same_patient_confirmed: true });
  expect(watched.complaints).toEqual([]);
});
