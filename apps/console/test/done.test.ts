import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// A verifier reads again for a day what they did: a payer calls back, or a colleague asks.

// Its own service: a day passes for everyone.
useOwn();

const patient = (name: string) => ({
  patient_info: { subscriber_id: `ID-${name}`, dob: '1984-05-17', name },
});

/** Lets a day pass for what verifiers did. */
async function aDayPasses(): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`update verification_attempt set ended_at = ended_at - interval '1 day'`);
}

// Broke: what was submitted was gone with the lease, and its address said that somebody else might hold it.
test('what a verifier submitted opens for a day, to read, with its webhook’s state', async () => {
  const { request_id: id } = await service.aRequest({
    ...patient('Cal Third'),
    cpt_code_coverage: ['D0120'],
  });
  const watched = await aPerson(service, ['verifier'], { name: 'Vera Verifier' });
  const { page } = watched;
  await page.getByText('What you submit stays here for a day').waitFor();
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByRole('radio', { name: 'Active', exact: true }).check();
  await page.getByLabel('Plan name').fill('Gold of the payer');
  await page.getByLabel('Reference number').fill('R-88-1042');
  await page.getByRole('radio', { name: 'Covered', exact: true }).check();
  await page.keyboard.press('Control+Shift+Enter');
  const done = page.getByRole('region', { name: 'Done' });
  const row = done.getByRole('row', { name: 'C. T.' });
  await row.getByText('Verified').waitFor({ timeout: 30_000 });
  await row.getByText('On its way').waitFor();
  await expectFit(watched, 'work-done');
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'C. T. at Bluefield Dental PPO', level: 1 }).waitFor();
  for (const text of ['Cal Third', 'ID-Cal Third', 'Gold of the payer', 'R-88-1042', 'On its way'])
    await page.getByText(text, { exact: true }).waitFor();
  // To read: nothing to type into, to take or to submit.
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Take it|Submit/ }).count()).toBe(0);
  await expectFit(watched, 'work-done-request');
  const { items } = await service.client.audit.list({ request_id: id, name: 'Vera', limit: 100 });
  const read = items.map(({ operation }) => operation);
  expect(read).toEqual(expect.arrayContaining(['work.done', 'requests.result', 'requests.benefits']));
  await aDayPasses();
  await page.reload();
  await page.getByText('You do not hold this request').waitFor();
  expect(await page.getByText('Gold of the payer').count()).toBe(0);
  await page.goto('/console/work');
  await page.getByText('What you submit stays here for a day').waitFor();
  expect(watched.complaints).toEqual([]);
});

// Without it a slip of the finger sends a request that takes a minute in the portal to an hour on the phone.
test('what could not be verified is undone for five seconds, and then taken back while it waits', async () => {
  const { request_id: id } = await service.aRequest(patient('Dot Fourth'));
  const watched = await aPerson(service, ['verifier'], { name: 'Tess Taker', at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').fill('Gold so far');
  const giveUp = async () => {
    await page.getByRole('button', { name: 'Could not verify' }).click();
    await page.getByRole('combobox', { name: 'Why' }).fill('two fac');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
    await page.getByText(/“Could not verify” is sent/).waitFor();
  };
  await giveUp();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByLabel('Plan name').waitFor();
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Gold so far');
  const attempts = async () => (await service.client.requests.attempts({ request_id: id })).items;
  expect(await attempts()).toMatchObject([{ outcome: 'working' }]);
  await giveUp();
  await expectFit(watched, 'work-failure-undoable');
  await expect
    .poll(attempts, { timeout: 20_000 })
    .toMatchObject([{ outcome: 'failed', error_reason: 'portal_two_factor' }]);
  await page.goto(`/console/work/${id}`);
  await page.getByText('It waits in the next channel, and no one has taken it yet.').waitFor();
  await expectFit(watched, 'work-take-back');
  await page.getByRole('button', { name: 'Take it back' }).press('Enter');
  await page.getByLabel('Plan name').waitFor();
  expect(await page.getByLabel('Plan name').inputValue()).toBe('Gold so far');
  expect(await attempts()).toMatchObject([{ number: 1, outcome: 'working', channel: 'manual_web_portal' }]);
  const { items } = await service.client.audit.list({ request_id: id, name: 'Tess', limit: 100 });
  expect(items.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['work.fail', 'work.takeBack']),
  );
  expect(watched.complaints).toEqual([]);
  await service.client.requests.close({ request_id: id, reason: 'withdrawn' });
});
