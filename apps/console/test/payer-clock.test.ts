import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectFit } from './ground/a-page.ts';
import { aPerson } from './ground/a-person.ts';
import { startService, type TestService } from './ground/a-service.ts';
import { useBrowser } from './ground/shared.ts';

useBrowser();

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The day of the week in New York, so many days ahead. */
function dayAhead(days: number): number {
  const there = new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', {
    timeZone: 'America/New_York',
    weekday: 'short',
  });
  return DAYS.indexOf(there.toLowerCase());
}

// Its own service: a payer that is open all day, but tomorrow.
let service: TestService;
beforeAll(async () => {
  const open = DAYS.filter((_, day) => day !== dayAhead(1)).map((day) => [day, ['00:00-24:00']]);
  const payers = ['Eastern Plan', 'Other Plan', 'Third Plan', 'Fourth Plan'].map((name, index) => ({
    id: `payer-${index + 1}`,
    name,
    channels: ['manual_phone_call'],
    phone_number: '+1 800 555 0142',
    ...(index === 0 && { time_zone: 'America/New_York', hours: Object.fromEntries(open) }),
  }));
  const file = join(aFolder(), 'payers.json');
  writeFileSync(file, JSON.stringify({ payers }));
  service = await startService({ PAYERS_FILE: file });
}, 120_000);
afterAll(() => service.stop());

// Breaks if “call again at 3” is read by the clock of the desk, an hour away from the payer's, or a call is planned for a
// day on which the payer is closed.
test('a call-back is read and said by the payer’s clock, with a warning outside of its hours', async () => {
  const { request_id: id } = await service.aRequest({ payer_info: { name: 'Eastern Plan' } });
  const watched = await aPerson(service, ['verifier'], { at: `/console/work/${id}?zone=America/Chicago` });
  const { page } = watched;
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText(/^There it is \d+:\d\d [AP]M Eastern, open until 12:00 AM$/).waitFor();
  await page.keyboard.press('b');
  const when = page.getByLabel('When');
  await when.fill('tomorrow 3p');
  await page.getByText(/^\w{3}, \w{3} \d{1,2}, 3:00 PM Eastern, 2:00 PM here$/).waitFor();
  await page.getByText('Eastern Plan is closed then').waitFor();
  await expectFit(watched, 'work-call-back-closed');
  await when.fill('10 min');
  await page.getByText(/^\d+:\d\d [AP]M Eastern, \d+:\d\d [AP]M here$/).waitFor();
  expect(await page.getByText('Eastern Plan is closed then').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByText(/The request waits for its call-back/).waitFor();
  await page.goto('/console/work?zone=America/Chicago');
  const part = page.getByRole('region', { name: 'Call-backs' });
  await part.getByText(/^\d+:\d\d [AP]M Eastern, \d+:\d\d [AP]M here, by me$/).waitFor();
  expect(watched.complaints).toEqual([]);
}, 60_000);
