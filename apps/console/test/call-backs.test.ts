import pg from 'pg';
import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { service, useOwn } from './ground/shared.ts';

// Its own service: Next takes what waits longest.
useOwn();

/** A request that waits for a phone call by a person. */
async function onThePhone(memberId: string): Promise<string> {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: memberId, dob: '1984-05-17', name: 'Jane Caller' },
  });
  const { lease_token } = await service.client.work.claimRequest({
    request_id: id,
    channels: ['manual_web_portal'],
  });
  await service.client.work.fail({ request_id: id, lease_token, error_reason: 'portal_maintenance' });
  return id;
}

async function change(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

test('“call again at 3 pm” takes four keys, and the call-back is what Next takes first when its time has come', async () => {
  const id = await onThePhone('W-BACK-1');
  const other = await onThePhone('W-BACK-2');
  const watched = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  await page.keyboard.press('b');
  await page.getByRole('dialog', { name: 'Call back later' }).waitFor();
  await page.keyboard.press('3');
  await page.getByText('No time yet: 3p').waitFor();
  await page.keyboard.press('p');
  await page.getByText(/, 3:00 PM$/).waitFor();
  await expectFit(watched, 'work-call-back');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/work/${other}`);
  await page.getByText(/The request waits for its call-back: J\. C\./).waitFor();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Work', exact: true }).waitFor();
  const part = page.getByRole('region', { name: 'Call-backs' });
  await part.getByText(/3:00 PM, by me$/).waitFor();
  await expectFit(watched, 'work-call-backs');
  await change(
    `update work_queue set call_back_at = now(), waits_since = now() + interval '15 minutes' where request_id = $1`,
    [id],
  );
  await page.reload();
  await part.getByText('Due').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(`**/work/${id}`);
  await page.getByText('Call back later,').waitFor();
  expect(watched.complaints).toEqual([]);
});

test('the end of a call asks for the representative and the number, and both are on the proof', async () => {
  const id = await onThePhone('W-CALL-1');
  const watched = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.locator('input[type=radio][value=Active]:focus').waitFor();
  await page.keyboard.press('h');
  await page.getByText(/^On a call for 0:0\d/).waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('h');
  await page.locator('#representative:focus').waitFor();
  await page.keyboard.type('Dana M');
  await page.keyboard.press('Enter');
  await page.locator('#reference:focus').waitFor();
  await page.keyboard.type('88-1042');
  await expectFit(watched, 'work-call-ended');
  await page.getByLabel('Plan name').fill('Dental PPO');
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByText('Accepted').first().waitFor();
  const { attempt } = await service.client.requests.proof({ request_id: id });
  expect(attempt).toMatchObject({ representative: 'Dana M', reference: '88-1042' });
});
