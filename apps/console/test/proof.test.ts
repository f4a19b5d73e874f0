import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRestClient } from '@insurance-verification/client';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFit, screenshots } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

/** A request that somebody answered on the phone. */
async function aCall() {
  const { client } = service;
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: 'W-PROOF-1', dob: '1984-05-17', name: 'Jane Shielded' },
    payer_info: { name: 'Northstar Mutual' },
    cpt_code_coverage: ['D0120', 'D2750'],
  });
  const work = await client.work.claimRequest({ request_id: id, channels: ['manual_web_portal'] });
  const { insurance_data: found } = anOutput(work.request, { notes: 'Two cleanings a year.' });
  await client.work.submit({
    request_id: id,
    lease_token: work.lease_token,
    insurance_data: found.map((one) => ({ ...one, verification_source: 'manual_web_portal' as const })),
    reference: 'Call 88-1042',
    provenance: [
      {
        field: '/0/plan_info/eligibility_status',
        source: 'Representative Morgan',
        quote: 'Jane Shielded is active since January.',
      },
    ],
  });
  return id;
}

/** A page as a browser prints it, and how many sheets that takes. Kept for a person to look at. */
async function printed(page: Page, name: string, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = await page.pdf({ format });
  mkdirSync(screenshots, { recursive: true });
  writeFileSync(join(screenshots, `${name}-${format}.pdf`), pdf);
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

const operationsOf = async (requestId: string, name: string) => {
  const { items } = await service.client.requests.readers({ request_id: requestId });
  return items.filter((item) => item.name === name).map((item) => item.operation);
};

// Breaks if a clinic files a page with the menu on it, or one that does not say who was asked when and answered what.
test('a proof of a plain answer is one sheet, black on white and without the menu, and says who said what when', async () => {
  const id = await aCall();
  const watched = await aPerson(service, ['requester'], {
    name: 'Rita Requester',
    at: `/console/requests/${id}`,
  });
  const { page } = watched;
  await page.getByRole('link', { name: 'Proof of verification' }).click();
  await page.getByRole('heading', { name: 'Proof of verification', level: 1 }).waitFor();
  await page.getByText('W-PROOF-1').first().waitFor();
  const article = page.getByRole('article');
  const text = (await article.innerText()).replaceAll(/\s+/g, ' ');
  for (const part of [
    'Name Jane Shielded',
    'Payer Northstar Mutual',
    'For the day none named: as of the answer',
    'Procedures D0120, D2750',
    'NPI 1234567893',
    'Eligibility Active',
    'Plan Dental PPO',
    'From 2026-01-01',
    'Notes Two cleanings a year.',
    'Channel Portal, by a person',
    'Reference Call 88-1042',
    'Asked by default',
    'Payer’s representative Representative Morgan',
    'Verified by first live key',
    'Representative Morgan: Jane Shielded is active since January. (eligibility status)',
    `Request ${id}`,
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/Asked \w{3} \d{1,2}, 20\d\d, \d{1,2}:\d\d:\d\d [AP]M \S+/);
  expect(text).toMatch(/SHA-256 [\da-f]{64} of the message’s body/);
  expect(text).toMatch(/Audit (Not sealed yet|Seal \d+, \w{3} \d{1,2}, 20\d\d)/);
  await expectFit(watched, 'proof');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByRole('button').count()).toBe(0);
  const colours = await page.evaluate(
    `[getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]`,
  );
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  for (const format of ['A4', 'Letter'] as const)
    expect(await printed(page, 'proof', format), format).toBe(1);
  expect(await operationsOf(id, 'Rita Requester')).toContain('requests.proof');
  expect(watched.complaints).toEqual([]);
});

test('an operator prints it masked, or shows the patient, which is on record', async () => {
  const id = await aCall();
  const watched = await aPerson(service, ['operator'], {
    name: 'Olga Operator',
    at: `/console/requests/${id}/proof`,
  });
  const { page } = watched;
  await page.getByText('not shown').first().waitFor();
  expect(await page.content()).not.toMatch(/Jane Shielded|W-PROOF-1/);
  // No name stands there without its value.
  expect(await page.locator('dd:empty').count()).toBe(0);
  await expectFit(watched, 'proof-masked');
  expect(await operationsOf(id, 'Olga Operator')).not.toContain('requests.reveal');
  await page.getByRole('button', { name: 'Show the patient' }).click();
  await page.getByText('W-PROOF-1').first().waitFor();
  await page.getByText('Jane Shielded is active since January.').waitFor();
  expect(await operationsOf(id, 'Olga Operator')).toEqual(
    expect.arrayContaining(['requests.proof', 'requests.reveal', 'requests.benefits']),
  );
  expect(watched.complaints).toEqual([]);
});

test('what the payer said is on it, all of it open, on more than one sheet', async () => {
  const { client, url } = service;
  const account = await client.accounts.create({ name: 'Tests', mode: 'test' });
  const { key } = await client.keys.create({ account_id: account.account_id, scopes: ['requests'] });
  const own = createRestClient({ url, apiKey: key });
  const { request_id: id } = await own.requests.create(
    aRequest({
      patient_info: { subscriber_id: 'TEST-BENEFITS-MEDICAL', name: 'Jane Shielded' },
      payer_info: { name: 'Meridian Health Plan' },
      cpt_code_coverage: ['99213'],
    }),
  );
  const requestId = id ?? '';
  const isDone = async () => (await own.requests.get({ request_id: requestId })).state !== 'pending';
  await until('it is answered', isDone);
  const watched = await aPerson(service, ['operator'], { at: `/console/requests/${requestId}/proof` });
  const { page } = watched;
  await page.getByRole('heading', { name: 'What to collect, in network' }).waitFor();
  const text = (await page.getByRole('article').innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/For the day 20\d\d-\d\d-\d\d/);
  expect(text).toContain('Deductible $1,500.00 a calendar year, $900.00 left');
  expect(text).toContain('Out of network');
  expect(text).toContain('Not answered 99213');
  await expectFit(watched, 'proof-benefits');
  expect(await printed(page, 'proof-benefits', 'Letter')).toBeGreaterThan(1);
});

test('before a result there is nothing to prove', async () => {
  const { request_id: id } = await service.aRequest();
  const operator = await aReader(service, ['operator']);
  expect((await operator.open(`/requests/${id}/proof`)).only('main').text).toContain('Nothing to prove yet');
});
