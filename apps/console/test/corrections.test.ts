import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit, type WatchedPage } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// A verifier who typed a slip corrects it from what they did: at once, or later by way of an operator.

// Its own service: minutes pass for everyone.
useOwn();

/** Lets ten minutes pass since a request's result. */
async function tenMinutesPass(requestId: string): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  for (const [table, column] of [
    ['result', 'applied_at'],
    ['verification_attempt', 'ended_at'],
  ])
    await client.query(
      `update ${table} set ${column} = ${column} - interval '10 minutes' where request_id = $1`,
      [requestId],
    );
}

/** An answer of each form. */
const SHEET = {
  'Network: in or out': 'in',
  'Group number': 'G-7',
  'Maximum a year': '$1,500',
  'Deductible a year': '-',
  'Preventive: patient pays': '20%',
  'Orthodontic: up to age': '19',
  'Exam: how often': '2/y',
  'Bitewings: last one': '1/31/26',
  'Waiting period, basic: months': '12',
  'Missing-tooth clause: y or n': 'n',
};

/** A verifier who has submitted a result with two codes and a dental sheet. */
async function aSubmission(name: string): Promise<WatchedPage & { readonly id: string }> {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: `ID-${name}`, dob: '1984-05-17', name },
    cpt_code_coverage: ['D0120', 'D1110'],
  });
  const watched = await aPerson(service, ['verifier'], { name: 'Vera Verifier', at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByRole('radio', { name: 'Active', exact: true }).check();
  await page.getByLabel('Plan name').fill('Gold');
  await page.getByLabel('Start date').fill('1/31/2026');
  await page
    .getByRole('group', { name: 'Code D0120' })
    .getByRole('radio', { name: 'Covered', exact: true })
    .check();
  await page.getByRole('group', { name: 'Code D1110' }).getByRole('radio', { name: 'Not covered' }).check();
  await page.getByLabel('Notes for the provider').fill('Ask again in May.');
  await page.getByRole('combobox', { name: 'Benefits' }).selectOption('dental');
  await page.getByText(/^\d+ more questions$/).click();
  for (const [label, text] of Object.entries(SHEET)) await page.getByLabel(label).fill(text);
  await page.getByLabel('Reference number').fill('R-88');
  await page.keyboard.press('Control+Shift+Enter');
  const row = page.getByRole('region', { name: 'Done' }).getByRole('row').filter({ hasText: 'Verified' });
  await row.getByRole('link').click({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Correct' }).waitFor();
  return { ...watched, id };
}

const saidOf = async (id: string) => {
  const { coverages } = await service.client.requests.benefits({ request_id: id });
  return coverages.map(({ group_number: group, benefits }) => [
    group,
    benefits.map(({ source: _source, ...said }) => said),
  ]);
};

test('a wrong plan name takes four keys and the words, and nothing else changes', async () => {
  const watched = await aSubmission('Cory Plan');
  const { page, id } = watched;
  const before = await service.client.requests.result({ request_id: id });
  const said = await saidOf(id);
  await page.keyboard.press('c');
  await page.locator('#reason:focus').waitFor();
  await expectFit(watched, 'work-correction');
  expect(await page.getByText('An operator looks at it first').count()).toBe(0);
  await page.keyboard.type('I read the line above.');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing that the provider reads is changed yet.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Silver');
  await page.keyboard.press('Enter');
  await page.getByText('Your correction is on its way to the provider.').waitFor();
  await page.getByText('Silver', { exact: true }).waitFor();
  const [first] = before.insurance_data;
  expect((await service.client.requests.result({ request_id: id })).insurance_data).toEqual([
    { ...first, plan_info: { ...first?.plan_info, plan_name: 'Silver' } },
  ]);
  expect(await saidOf(id)).toEqual(said);
  const { items } = await service.client.requests.attempts({ request_id: id });
  expect(items.at(-1)).toMatchObject({
    result_version: 2,
    reference: 'R-88',
    correction_reason: 'I read the line above.',
  });
  expect(watched.complaints).toEqual([]);
});

test('after ten minutes an operator looks at it first, and everyone reads who did what', async () => {
  const watched = await aSubmission('Cory Late');
  const { page, id } = watched;
  await tenMinutesPass(id);
  await page.reload();
  await page.getByRole('button', { name: 'Correct' }).click();
  await page.getByText('An operator looks at it first').waitFor();
  await page.getByText('The clinic reads it with the result.').waitFor();
  await page.getByRole('radio', { name: 'Inactive', exact: true }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Type why you correct it.').waitFor();
  await page.locator('#reason:focus').waitFor();
  await page.keyboard.type('It ended in March.');
  await page.keyboard.press('Control+Enter');
  const waits = /Your correction waits for an operator since \w{3} \d+, \d+:\d\d [AP]M/;
  await page.getByText(waits).waitFor();
  expect(await page.getByRole('button', { name: 'Correct' }).count()).toBe(0);
  await expectFit(watched, 'work-correction-waits');
  await page.getByRole('link', { name: 'Back to Work' }).click();
  const row = page.getByRole('region', { name: 'Done' }).getByRole('row').filter({ hasText: 'C. L.' });
  await row.getByText(waits).waitFor();
  const when = await row.getByRole('cell').nth(4).innerText();
  await expectFit(watched, 'work-done-waits');
  const { items } = await service.client.heldOutputs.list({ reason: 'superseding', limit: 10 });
  const held = items.find(({ request_id: named }) => named === id);
  const operator = await aReader(service, ['operator']);
  expect((await operator.open(`/held/${held?.held_id}`)).only('main').text).toContain(
    'Correction by Vera Verifier: It ended in March.',
  );
  await service.client.heldOutputs.apply({ held_id: held?.held_id ?? '' });
  await page.reload();
  await row.getByText(/^Applied by first live key/).waitFor();
  expect(await row.getByRole('cell').nth(4).innerText()).toBe(when);
  const { versions } = await service.client.requests.view({ request_id: id });
  const [first, last] = versions;
  expect(first?.verification).toMatchObject({ verified_by_name: 'Vera Verifier', reference: 'R-88' });
  expect(last?.verification).toEqual(first?.verification);
  expect(last).toMatchObject({
    applied_by_name: 'first live key',
    correction: { reason: 'It ended in March.' },
  });
  const requester = await aReader(service, ['requester']);
  const shown = (await requester.open(`/requests/${id}`)).only('main').text;
  expect(shown).toMatch(
    /Verified by Vera Verifier at [^.]*, in the portal, R-88\. Corrected by Vera Verifier [^.]*: It ended in March\. Applied by first live key [^.]*\./,
  );
  expect(shown).toMatch(/Corrected Attempt 2, by Vera Verifier, became result 2\. Why: It ended in March\./);
  const proof = (await requester.open(`/requests/${id}/proof`)).only('article').text;
  expect(proof).toMatch(
    /Verified by Vera Verifier Begun .* Ended .* Channel Portal, by a person Reference R-88/,
  );
  expect(proof).toMatch(/Corrected by Vera Verifier .*: It ended in March\. \(result 2\)/);
  expect(proof).toMatch(/Applied by first live key .* \(result 2\)/);
  const clinic = await aPerson(service, ['requester'], { at: `/console/requests/${id}` });
  await clinic.page.getByText(/^Corrected by Vera Verifier/).waitFor();
  await expectFit(clinic, 'request-corrected');
  await clinic.page.getByRole('link', { name: 'Proof of verification' }).click();
  await clinic.page.getByText('(result 2)').first().waitFor();
  await expectFit(clinic, 'proof-corrected');
  expect(clinic.complaints).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

test('a correction that is dismissed says by whom and why', async () => {
  const watched = await aSubmission('Cory Dismissed');
  const { page, id } = watched;
  await tenMinutesPass(id);
  await page.reload();
  await page.getByRole('button', { name: 'Correct' }).click();
  await page.getByRole('radio', { name: 'Could not verify' }).check();
  await page.getByRole('combobox', { name: 'Why' }).fill('member not');
  await page.getByLabel('Why you correct it').fill('I read the line above.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your correction waits for an operator since').waitFor();
  const { items } = await service.client.heldOutputs.list({ reason: 'superseding', limit: 10 });
  const held = items.find(({ request_id: named }) => named === id);
  const operator = await aReader(service, ['operator']);
  const review = (await operator.open(`/held/${held?.held_id}`)).only('main').text;
  expect(review).toContain('Correction by Vera Verifier: I read the line above.');
  expect(review).toContain('member not found');
  await service.client.heldOutputs.dismiss({ held_id: held?.held_id ?? '', note: 'The card says Gold.' });
  await page.reload();
  await page.getByText(/^Dismissed by first live key .*: The card says Gold\.$/).waitFor();
  await page.getByRole('button', { name: 'Correct' }).waitFor();
  expect(watched.complaints).toEqual([]);
});

test('what could not be verified is corrected into an answer, and back', async () => {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: 'ID-Cory Failed', dob: '1984-05-17', name: 'Cory Failed' },
  });
  const watched = await aPerson(service, ['verifier'], { name: 'Vera Verifier', at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').waitFor();
  await page.getByRole('button', { name: 'Could not verify' }).click();
  await page.getByRole('combobox', { name: 'Why' }).fill('member not');
  await page.getByRole('checkbox', { name: /end the request/ }).check();
  await page.getByRole('button', { name: 'Could not verify' }).last().click();
  await page
    .getByText('The request ends here, and the provider gets the reason: C. F.')
    .waitFor({ timeout: 15_000 });
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Correct' }).click();
  expect(await page.getByRole('radio', { name: 'Could not verify' }).isChecked()).toBe(true);
  await expectFit(watched, 'work-correction-of-failure');
  await page.getByRole('radio', { name: 'The payer’s answer' }).check();
  await page.getByRole('radio', { name: 'Active', exact: true }).check();
  await page.getByLabel('Plan name').fill('Gold');
  await page.getByLabel('Why you correct it').fill('The payer found the member after all.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Gold', { exact: true }).waitFor();
  expect(await service.client.requests.result({ request_id: id })).toMatchObject({
    request: { state: 'complete' },
    insurance_data: [{ plan_info: { plan_name: 'Gold', eligibility_status: 'Active' } }],
  });
  await page.getByRole('button', { name: 'Correct' }).click();
  await page.getByRole('radio', { name: 'Could not verify' }).check();
  await page.getByRole('combobox', { name: 'Why' }).fill('date of birth');
  await page.getByLabel('Why you correct it').fill('It was another member.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('It was another member.').waitFor();
  expect(await service.client.requests.get({ request_id: id })).toMatchObject({ state: 'error_verifying' });
  const { versions } = await service.client.requests.view({ request_id: id });
  expect(versions.map(({ correction }) => correction?.reason)).toEqual([
    undefined,
    'The payer found the member after all.',
    'It was another member.',
  ]);
  expect(watched.complaints).toEqual([]);
});
