import { createRestClient } from '@insurance-verification/client';
import { claimWork, DEFAULT_ACCOUNT_ID, openStore, submitWork } from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: a test claims what waits longest at a payer.
useOwn();

/** A request that the sandbox has answered. */
async function anAnswered(memberId: string, codes: string[] = []): Promise<string> {
  const { client, url } = service;
  const account = await client.accounts.create({ name: 'Tests', mode: 'test' });
  const { key } = await client.keys.create({ account_id: account.account_id, scopes: ['requests'] });
  const own = createRestClient({ url, apiKey: key });
  const { request_id: id } = await own.requests.create(
    aRequest({
      patient_info: { subscriber_id: memberId, name: 'Jane Shielded' },
      payer_info: { name: 'Meridian Health Plan' },
      cpt_code_coverage: codes,
    }),
  );
  const requestId = id ?? '';
  await until(
    'it is answered',
    async () => (await own.requests.get({ request_id: requestId })).state !== 'pending',
  );
  return requestId;
}

// Breaks if a front desk has to scroll through 67 rows, or opens the portal again, for the co-payment.
test('with 67 rows the specialist’s co-payment in network is on a phone’s first screen', async () => {
  const id = await anAnswered('TEST-BENEFITS-MEDICAL', ['99213']);
  const watched = await aPerson(service, ['operator'], { at: `/console/requests/${id}` });
  const { page } = watched;
  const benefits = page.getByRole('region', { name: 'Benefits' });
  const line = benefits.getByText('SPECIALIST OFFICE VISIT').first();
  await line.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate('scrollTo(0, 0)');
  await expect(line.boundingBox()).resolves.toSatisfy(
    (box: { y: number; height: number } | null) => box !== null && box.y > 0 && box.y + box.height < 844,
  );
  const row = benefits.locator('dl > div').filter({ hasText: 'SPECIALIST' }).first();
  expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'Co-payment, Office visit (Office) SPECIALIST OFFICE VISIT $50.00 a visit',
  );
  const texts = (await benefits.innerText()).replaceAll(/\s+/g, ' ');
  expect(texts).toContain('Active on 20');
  expect(texts).toContain('Deductible $1,500.00 a calendar year, $900.00 left');
  expect(texts).toContain('Chiropractic 20 visits a calendar year, 14 visits left');
  expect(texts).toContain('TOGETHER 30 visits a calendar year, 22 visits left');
  expect(texts).toContain('Not answered 99213');
  expect(texts.indexOf('What to collect')).toBeLessThan(texts.indexOf('Do first'));
  expect(texts.indexOf('Do first')).toBeLessThan(texts.indexOf('Limits'));
  await benefits.getByText('Everything the payer said (67)').click();
  expect(await benefits.locator('ol > li').count()).toBe(67);
  await expectFit(watched, 'request-benefits');
  expect(watched.complaints).toEqual([]);
});

// The payer's words may be about the patient: they are not in the browser before somebody asks.
test('of a live patient an operator sees them when asked for, and that is on record', async () => {
  const { request_id: id } = await service.aRequest({ payer_info: { name: 'Northstar Mutual' } });
  const store = await openStore({ connectionString: service.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  const caller = {
    keyId: 'key_1',
    accountId: DEFAULT_ACCOUNT_ID,
    mode: 'live',
    acrossAccounts: true,
  } as const;
  const route = {
    payerId: 'payer-3',
    channels: [{ source: 'manual_web_portal', attemptCountMax: 3, secondsMax: 3_600 }],
    skipsUnattended: false,
    holdsAgentResults: false,
    phoneHours: null,
    inFlightCountMax: null,
  } as const;
  const { works } = await claimWork(store, {
    caller,
    routes: [route],
    channels: ['manual_web_portal'],
    limit: 1,
    leaseSeconds: 60,
  });
  const work = works[0] ?? expect.fail();
  const { insurance_data: insuranceData } = anOutput(work.request);
  const submitted = await submitWork(store, {
    caller,
    requestId: id,
    leaseToken: work.leaseToken,
    routes: [route],
    insuranceData: insuranceData.map((entry) => ({ ...entry, verification_source: 'manual_web_portal' })),
    benefits: {
      serviceDate: '2026-11-26',
      leftOut: 0,
      coverages: [
        {
          group_number: null,
          relationship: null,
          order: null,
          rows: [{ row: 0, loop: 'patient', delimiters: '*:^', segments: ['EB*B**98***27*25', 'MSG*JANE'] }],
        },
      ],
    },
    evidence: {},
  });
  expect(submitted).toMatchObject({ kind: 'applied' });
  await store.close();
  const watched = await aPerson(service, ['operator'], { at: `/console/requests/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Show the benefits' }).waitFor();
  expect(await page.content()).not.toContain('JANE');
  await expectFit(watched, 'request-benefits-masked');
  await page.getByRole('button', { name: 'Show the benefits' }).click();
  await page.getByText('JANE').first().waitFor();
  const { items } = await service.client.requests.readers({ request_id: id });
  expect(items.map(({ operation }) => operation)).toContain('requests.benefits');
});

test('a dental plan and Medicare are shown in words too', async () => {
  const dental = await anAnswered('TEST-BENEFITS-DENTAL', ['D0120', 'D2750']);
  const medicare = await anAnswered('TEST-BENEFITS-MEDICARE');
  const operator = await aReader(service, ['operator']);
  const textOf = async (id: string) => {
    const benefits = (await operator.open(`/requests/${id}`)).only('section', 'aria-label="Benefits"');
    expect(benefits.all('h3').map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^What to collect/),
    );
    return benefits.text;
  };
  const ofDental = await textOf(dental);
  expect(ofDental).toContain('Dental care $1,500.00 a calendar year, $1,120.00 left');
  expect(ofDental).toContain('Co-insurance, D2750');
  const ofMedicare = await textOf(medicare);
  expect(ofMedicare).toContain('secondary payer, SUPPLEMENT MUTUAL, 5555550177');
  expect(ofMedicare).toContain('Deductible* $283.00 a calendar year, $0.00 left');
});
