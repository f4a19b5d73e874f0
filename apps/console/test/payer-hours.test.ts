import { expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { CLOSED_PAYER } from './ground/a-service.ts';
import { aReader } from './ground/rendered.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

test('Work says when a closed payer opens, and the workbench which number and menu it has', async () => {
  const { request_id: id } = await service.aRequest({
    patient_info: { subscriber_id: 'W-CLOSED', dob: '1984-05-17', name: 'Jane Closed' },
    payer_info: { name: CLOSED_PAYER },
  });
  const watched = await aPerson(service, ['verifier'], { at: `/console/work/${id}` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  const ask = page.getByRole('region', { name: 'Ask' });
  await ask.getByText('Phone, claims').waitFor();
  await ask.getByText('The menu changed on').waitFor();
  await ask.getByText(/^There it is \d+:\d\d [AP]M Central, closed, opens on .* at 8:00 AM$/).waitFor();
  await expectFit(watched, 'workbench-of-closed-payer');
  const { items } = await service.client.work.payers();
  expect(items.find(({ name }) => name === CLOSED_PAYER)).toMatchObject({
    opens_at: expect.stringMatching(/T1[34]:00:00\.000Z$/),
    time_zone: 'America/Chicago',
  });
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Could not verify' }).waitFor();
  await page.keyboard.type('two fac');
  await page.keyboard.press('Enter');
  const reasons = async () => (await service.client.requests.attempts({ request_id: id })).items;
  await expect.poll(reasons, { timeout: 15_000 }).toMatchObject([{ error_reason: 'portal_two_factor' }]);
  const opens = `${CLOSED_PAYER} opens on .* at 8:00 AM Central: \\d+ waits? to be called`;
  const verifier = await aReader(service, ['verifier']);
  expect((await verifier.open('/work')).only('main').text).toMatch(new RegExp(opens));
  await page.close();
}, 60_000);
