import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: the report is of every answer to a seeded request.
useOwn();

test('an operator seeds a request, and the report names the field that its answer has wrong', async () => {
  const watched = await aPerson(service, ['operator'], { at: '/console/known-answers' });
  const { page } = watched;
  await page.getByRole('button', { name: 'Seed a request' }).click();
  await page.getByLabel('Member id').fill('W123456789');
  await page.getByLabel('Full name (optional)').fill('Jane Doe');
  await page.getByLabel('Plan', { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('NPI').fill('1234567893');
  await page.getByLabel('Name', { exact: true }).fill('Main Street Dental');
  await page.getByLabel('Callback address').fill('https://clinic.example/verified');
  await page.getByLabel('Eligibility').selectOption('Active');
  await page.getByLabel('Plan name, as the payer writes it').fill('PPO Gold');
  await page.getByLabel('Start date').fill('1/1/26');
  await page.getByRole('button', { name: 'Seed the request' }).click();
  await page.getByRole('row').filter({ hasText: 'Active, PPO Gold, from' }).waitFor();
  const { client } = service;
  const [seeded] = (await client.knownAnswers.list({})).items;
  const request = await client.requests.get({ request_id: seeded?.request_id ?? '' });
  const plan_info = {
    eligibility_status: 'Active',
    plan_name: 'PPO Silver',
    start_date: '2026-01-01',
  } as const;
  await client.verificationOutput.submit(
    anOutput(request, { insurance_data: [aCoverage(request, { plan_info })] }),
  );
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Plan name' });
  await row.getByText('0.0 to 79.3 %').waitFor();
  await expectFit(watched, 'known-answers-report');
  expect(watched.complaints).toEqual([]);
});
