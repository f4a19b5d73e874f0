import { createTrpcClient } from '@insurance-verification/client';
import { anOutput } from '@insurance-verification/testing/an-output';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { aReader } from './ground/rendered.ts';
import { service, useOwn } from './ground/shared.ts';

const PATIENT = { subscriber_id: 'W-ERASED-56789', dob: '1984-05-17', name: 'Erin Erasable' };

// Its own service: the tests count all erasures, and one holds the default account.
useOwn();

// Without it the everyday wrong patient could only wait for a retention, or be erased by one person.
test('one person asks, another confirms with the ending and sees the certificate; the request says why it is empty', async () => {
  const request = await service.aRequest({ patient_info: PATIENT });
  await service.client.verificationOutput.submit(anOutput(request));
  const { request_id: id } = request;
  const asker = await aPerson(service, ['privacy'], { at: '/console/privacy' });
  await asker.page.getByText('No erasures').waitFor();
  await asker.page.getByRole('button', { name: 'Erase a request …' }).click();
  await asker.page.getByLabel('Request id').fill(id);
  await asker.page.getByLabel('Wrong patient').check();
  await expectFit(asker, 'privacy-ask');
  await asker.page.getByRole('button', { name: 'Ask for the erasure' }).click();
  const confirmed = (page: typeof asker.page) =>
    page.getByRole('button', { name: `Confirm … the erasure of ${id}` });
  // Broke: who asked could open the confirmation, type the ending, and was refused only then.
  await asker.page.getByText('Waits for a second person').waitFor();
  expect(await confirmed(asker.page).count()).toBe(0);
  const { page: reader } = await aPerson(service, ['operator'], { at: `/console/requests/${id}` });
  await reader.getByRole('button', { name: 'Show the patient' }).click();
  await reader.getByText(PATIENT.name).first().waitFor();
  const second = await aPerson(service, ['privacy', 'operator'], { at: '/console/privacy' });
  const { page } = second;
  await confirmed(page).click();
  await page.getByLabel(/^Last four characters/).fill('0000');
  await page.getByRole('button', { name: 'Erase the data' }).click();
  await page.getByText(/ending of its member id/).waitFor();
  second.excuse(422);
  await page.getByLabel(/^Last four characters/).fill('6789');
  await expectFit(second, 'privacy-confirm');
  await page.getByRole('button', { name: 'Erase the data' }).click();
  await page.getByRole('heading', { name: 'Certificate of the erasure' }).waitFor();
  await page.getByText(/versions of the result: 1/).waitFor();
  await page.getByText(/^Backups, each that was made before/).waitFor();
  await expectFit(second, 'privacy-certificate');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: `Certificate of ${id}` }).waitFor();
  const operator = await aReader(service, ['operator']);
  const erased = (await operator.open(`/requests/${id}`)).only('main');
  expect(erased.text).toMatch(/The data was erased .* because it was about the wrong patient/);
  // Broke: the timeline said that its retention was over.
  expect(erased.all('li').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('It was erased because it was about the wrong patient.'),
  );

  // The page that showed the patient has nothing of them left, nor has another page and the way back.
  await expectNothingOf(() => reader.content());
  await reader.getByRole('link', { name: 'Requests', exact: true }).first().click();
  await reader.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await expectNothingOf(() => reader.content());
  await reader.goBack();
  await reader.getByText(/The data was erased .* because it was about the wrong patient/).waitFor();
  await expectNothingOf(() => reader.content());
  // Nor has either transport.
  const trpc = createTrpcClient({ url: service.url, apiKey: API_KEY });
  const rest = service.client;
  const input = { request_id: id };
  const answers = await Promise.allSettled([
    ...[rest.requests, trpcReads(trpc)].flatMap((requests) => [
      requests.get(input),
      requests.result(input),
      requests.view(input),
      requests.deliveries(input),
      requests.attempts(input),
      requests.benefits(input),
      requests.proof(input),
      requests.exchanges(input),
      requests.reveal(input),
    ]),
    rest.requests.list(),
    rest.requests.search({ subscriber_id: PATIENT.subscriber_id }),
    rest.heldOutputs.list(),
  ]);
  const text = JSON.stringify(
    answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
  );
  for (const part of Object.values(PATIENT)) expect(text).not.toContain(part);
});

async function expectNothingOf(read: () => Promise<string>): Promise<void> {
  await expect.poll(read).not.toContain(PATIENT.name);
  const text = await read();
  for (const part of Object.values(PATIENT)) expect(text).not.toContain(part);
}

/** The same reads over tRPC. */
function trpcReads({ requests }: ReturnType<typeof createTrpcClient>) {
  return {
    get: requests.get.query,
    result: requests.result.query,
    view: requests.view.query,
    deliveries: requests.deliveries.query,
    attempts: requests.attempts.query,
    benefits: requests.benefits.query,
    proof: requests.proof.query,
    exchanges: requests.exchanges.query,
    reveal: requests.reveal.mutate,
  };
}

// Without it nobody would see why a request is still there whose retention is over.
test('a hold is placed and ended, and is shown on the request and at the retention of its account', async () => {
  const { request_id: id } = await service.aRequest();
  const { account_id: accountId } = await service.client.requests.view({ request_id: id });
  const watched = await aPerson(service, ['privacy', 'operator'], { at: '/console/privacy' });
  const { page } = watched;
  const place = async (covers: string, of: string, reason: string) => {
    await page.getByRole('button', { name: 'Place a hold …' }).click();
    await page.getByLabel(covers).check();
    await page.getByLabel(/^(Request|Account) id$/).fill(of);
    await page.getByLabel(/^Why/).fill(reason);
    if (of === id) await expectFit(watched, 'privacy-hold');
    await page.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText(reason).waitFor();
  };
  await place('one request', id, 'Doe v. Clinic');
  await place('all of an account', accountId, 'All of the clinic');
  await page
    .getByRole('button', { name: /^Retention of .*:/ })
    .first()
    .click();
  await page.getByText(/Nothing is erased since/).waitFor();
  await expectFit(watched, 'retention-held');
  await page.getByRole('button', { name: 'Leave it' }).click();
  const operator = await aReader(service, ['operator']);
  expect((await operator.open(`/requests/${id}`)).only('main').text).toContain('Legal hold');
  for (const of of [id, 'default']) {
    await page.getByRole('button', { name: `End … the hold on ${of}` }).click();
    await page.getByRole('button', { name: 'End the hold' }).click();
    await page.getByRole('button', { name: `End … the hold on ${of}` }).waitFor({ state: 'detached' });
  }
  const { holds } = await service.client.requests.view({ request_id: id });
  expect(holds).toEqual([]);
});
