import { keepX12Exchanges, openStore } from '@insurance-verification/store';
import { anOutput } from '@insurance-verification/testing/an-output';
import { ENCRYPTION_KEY } from '@insurance-verification/testing/start-service-process';
import { expect, test } from 'vitest';
import { aFinished } from './ground/a-finished.ts';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { noteAnswers } from './ground/note-answers.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

// A request is looked into, and nothing of a patient shows that nobody asked for.

useShared();

const VALUES = /W-PAGE|1984-05-17|Jane Shielded/;

const operationsOf = async (requestId: string, name: string) => {
  const { items } = await service.client.requests.readers({ request_id: requestId });
  return items
    .filter((item) => item.name === name && item.operation !== 'requests.search') // the list, which the person may have left before it came
    .map((item) => item.operation);
};

// The values are not in the browser before somebody asks: a mask in the page alone would leave them there.
test('an operator sees no patient before asking; showing is on record, and in the timeline', async () => {
  const { id, subscriber_id } = await aFinished(service);
  const watched = await aPerson(service, ['operator'], { name: 'Olga Operator', at: null });
  await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page } = watched;
  const answers = noteAnswers(watched);
  await page.goto(`/console/requests/${id}`);
  await page.getByText('not shown').first().waitFor();
  // Broke: the id was where the eye rests, and the page hid the initials that the list had shown.
  await page.getByRole('heading', { level: 1, name: 'J. S. at Bluefield Dental PPO', exact: true }).waitFor();
  await page.getByText('Who read it (1)').click();
  await page.getByText(/^Olga Operator read it/).waitFor();
  await page.getByText('Result accepted').waitFor();
  expect(await page.content()).not.toMatch(VALUES);
  expect(answers.join(' ')).not.toMatch(VALUES);
  await expectFit(watched, 'request-masked');
  await page.getByRole('button', { name: 'Show the patient' }).click();
  await page.getByText(subscriber_id).waitFor();
  expect(await page.title()).toBe('Request to Bluefield Dental PPO · Insurance Verification');
  await page.getByText('Jane Shielded has a plan').waitFor();
  await page.getByRole('button', { name: 'Copy the member id' }).click();
  await page.getByRole('button', { name: 'Copied the member id' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(subscriber_id);
  const shown = ['requests.attempts', 'requests.benefits', 'requests.deliveries']; // which the view keeps back too
  const asked = ['requests.readers', 'requests.reveal', 'requests.view'];
  await expect
    .poll(async () => (await operationsOf(id, 'Olga Operator')).toSorted())
    .toEqual([...shown, ...asked]);
});

// Without it an operator would look for a held output in a list of all, and not see from the request what became of it.
test('the held outputs of a request are in its timeline, and lead to their reviews', async () => {
  const { request_id: id, input } = await service.aRequest({
    patient_info: { subscriber_id: 'W-PAGE-HELD', dob: '1984-05-17', name: 'Jane Shielded' },
  });
  const request = { request_id: id, input, received_timestamp: new Date().toISOString() };
  const submit = async (notes: string) => {
    const receipt = await service.client.verificationOutput.submit(
      anOutput({ ...request, state: 'complete' }, { notes: `Jane Shielded ${notes}` }),
    );
    return receipt.held_id ?? '';
  };
  await submit('first');
  const [waiting, applied, dismissed] = [await submit('waits'), await submit('fits'), await submit('errs')];
  await service.client.heldOutputs.apply({ held_id: applied });
  await service.client.heldOutputs.dismiss({ held_id: dismissed, note: 'Jane Shielded called' });

  const watched = await aPerson(service, ['operator'], { at: null });
  const { page } = watched;
  const answers = noteAnswers(watched);
  await page.goto(`/console/requests/${id}`);
  const lines = (heldId: string) =>
    page.getByRole('listitem').filter({ has: page.locator(`a[href$="${heldId}"]`) });
  await lines(waiting).getByText('It waits for an operator.').waitFor();
  await lines(applied).getByText('It became result 2.').waitFor();
  await lines(applied).getByText('Result corrected').waitFor();
  await lines(dismissed).getByText('It was dismissed.').waitFor();
  await lines(dismissed)
    .getByText(/^Dismissed by .+, with a note\.$/)
    .waitFor();
  await lines(waiting)
    .getByText(/^Submitted by (?!key_)/)
    .waitFor();
  expect(await Promise.all([waiting, applied, dismissed].map((heldId) => lines(heldId).count()))).toEqual([
    1, 2, 2,
  ]);
  expect(answers.join(' ')).not.toMatch(VALUES);
  await expectFit(watched, 'request-held');
  // What is settled meanwhile, the page shows by itself.
  await service.client.heldOutputs.dismiss({ held_id: waiting });
  await lines(waiting).getByText('It was dismissed.').waitFor();
  await lines(dismissed).getByRole('link').first().click();
  await page.getByText(/^Dismissed by .+ at .+: Jane Shielded called$/).waitFor();

  const requester = await aReader(service, ['requester']);
  const own = (await requester.open(`/requests/${id}`)).only('main');
  expect(own.text).toContain('It became result 2.');
  expect(own.text).not.toMatch(/held_|acct_/);
  expect(own.markup).not.toMatch(/<a [^>]*href="[^"]*held_/);
});

test('the 270 and 271 are read when asked for, one segment a line, by operators and by who asked', async () => {
  const { id } = await aFinished(service);
  const store = await openStore({ connectionString: service.databaseUrl, encryptionKey: ENCRYPTION_KEY });
  const isa = (text: string) => `ISA*${'0'.repeat(101)}~${text}~`;
  await keepX12Exchanges(store, [
    {
      requestId: id,
      accountId: (await service.client.requests.search({ request_id: id })).items[0]?.account_id ?? '',
      payerId: 'payer-1',
      controlNumber: 81,
      startedAt: new Date(),
      durationMs: 412,
      statusCode: 200,
      errorReason: 'member_not_found',
      payerCodes: ['AAA 75'],
      inquiry: isa('NM1*IL*1*SHIELDED*JANE'),
      answer: Buffer.from(isa('AAA*N**75*C')),
    },
  ]);
  await store.close();
  const watched = await aPerson(service, ['operator'], {
    name: 'Xaver Exchange',
    at: `/console/requests/${id}`,
  });
  const { page } = watched;
  await page.getByText('Asked the payer over X12').waitFor();
  await page.getByText('Inquiry 81, 412 ms, AAA 75.').waitFor();
  expect(await page.content()).not.toContain('SHIELDED');
  await page.getByRole('button', { name: 'Show the 270 and 271' }).click();
  const sent = page.getByLabel('The 270 as it was sent');
  await sent.waitFor();
  expect((await sent.textContent())?.split('\n')[1]).toBe('NM1*IL*1*SHIELDED*JANE~');
  await expectFit(watched, 'request-exchanges');
  expect(await operationsOf(id, 'Xaver Exchange')).toContain('requests.exchanges');
  const requester = await aPerson(service, ['requester'], { at: `/console/requests/${id}` });
  await requester.page.getByText('Jane Shielded', { exact: true }).waitFor();
  expect(await requester.page.content()).not.toContain('NM1*IL');
  await requester.page.getByRole('button', { name: 'Show the 270 and 271' }).click();
  await requester.page.getByLabel('What came back').getByText('AAA*N**75*C~').waitFor();
  expect(await requester.page.getByText('Who read it').count()).toBe(0);
});
