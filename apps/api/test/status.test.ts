import { aBrowser } from '@insurance-verification/testing/a-browser';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plannedUntil, stateOf } from '../src/http/pages/status.ts';
import { aDatabaseGate } from './a-database-gate.ts';
import { aKey } from './a-key.ts';
import { aPayersFile } from './a-payers-file.ts';
import { aService, useService } from './a-service.ts';

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
const PAYERS = [
  { id: 'one', name: 'Payer Plan 1', channels: ['manual_web_portal', 'manual_phone_call'] },
  {
    id: 'two',
    name: 'Payer Plan 2',
    channels: ['manual_web_portal'],
    planned_downtime: [{ from: day(-1), until: day(1) }],
  },
  { id: 'three', name: 'Payer Plan 3' },
  { id: 'four', name: 'Payer Plan 4' },
];

const service = useService(() => ({ env: { ROLES: 'http', PAYERS_FILE: aPayersFile(PAYERS) } }));

interface Status {
  readonly components: object;
  readonly payers: { channels: { state: string; attempt_count: number; failed_count: number }[] }[];
}
const read = async (headers: Record<string, string> = {}) =>
  service.ask('GET', '/status', { key: null, headers });

// A provider whose results are late must see whether it is the payer before it calls somebody.
test('shows without a key what the attempts of the last hour found, and what is planned', async () => {
  const verifier = await aKey(service, ['verify']);
  for (let made = 0; made < 3; made += 1) {
    const request = {
      patient_info: { subscriber_id: `W${made}`, dob: '1984-05-17' },
      payer_info: { name: 'Payer Plan 1' },
      provider_info: { npi: '1234567893', name: 'Main Street Dental' },
      callback_url: 'https://clinic.example/verified',
    };
    await service.answer('POST', '/requests/', request);
    const { items } = await service.answer<{
      items: { request: { request_id: string }; lease_token: string }[];
    }>('POST', '/work/claim', { channels: ['manual_web_portal'], max: 1 }, verifier);
    const [item] = items;
    const failure = { lease_token: item?.lease_token, error_reason: 'portal_maintenance' };
    await service.answer('POST', `/work/${item?.request.request_id ?? ''}/fail`, failure, verifier);
  }
  const { headers, json } = await read();
  const { components, payers } = json as Status;
  expect(headers['cache-control']).toBe('public, max-age=10');
  expect(components).toEqual({ api: 'up', database: 'up' });
  expect(payers[0]?.channels).toMatchObject([
    { state: 'failing', attempt_count: 3, failed_count: 3 },
    { state: 'unknown', attempt_count: 0 },
  ]);
  expect(payers[1]?.channels).toMatchObject([{ state: 'planned' }]);
});

// A provider that asks during an outage must get the outage, and no error.
test('says that the database is down while it is', async () => {
  const gate = await aDatabaseGate();
  const other = await aService({ databaseUrl: gate.databaseUrl, env: { ROLES: 'http' } });
  await gate.shut();
  const { status, json } = await other.ask('GET', '/status', { key: null });
  expect([status, (json as Status).components]).toEqual([200, { api: 'up', database: 'down' }]);
  await gate.open();
});

test('is a page for a browser', async () => {
  const { headers, text } = await read({ accept: 'text/html' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).toContain('<h2>Payer Plan 1</h2>');
});

// Broke: a clinic in Chicago read the times of an outage in UTC, as a program writes them.
test.each([
  ['America/Chicago', /C[SD]T/],
  ['Europe/Berlin', /GMT\+[12]/],
])('a reader in %s sees its times on their own clock', async (timezoneId, zone) => {
  const browser = await aBrowser();
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext({ timezoneId, locale: 'en-US' })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${service.url}/status`);
  const times = page.locator('time');
  const at = (await times.first().getAttribute('datetime')) ?? '';
  const shown = new Date(at).toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezoneId,
  });
  expect(await times.first().innerText()).toContain(shown);
  expect(await times.first().innerText()).toMatch(zone);
  expect(await page.getByText('planned downtime until').locator('time').count()).toBe(1);
  expect(complaints).toEqual([]);
});

describe('stateOf', () => {
  test.each([
    [undefined, 'unknown'],
    [{ reachedCount: 1, failedCount: 0 }, 'working'],
    [{ reachedCount: 0, failedCount: 2 }, 'working'],
    [{ reachedCount: 3, failedCount: 3 }, 'failing'],
    [{ reachedCount: 4, failedCount: 3 }, 'working'],
  ] as const)('%j is %s', (hour, state) => expect(stateOf(hour)).toBe(state));
});

test('a planned downtime is of its channels, from its beginning to its end', () => {
  const [from, until] = ['2026-12-01T02:00:00-06:00', '2026-12-01T04:00:00-06:00'];
  const plannedDowntime = [{ from, until, channels: ['api' as const] }];
  const at = (time: string, channel: 'api' | 'manual_phone_call' = 'api') =>
    plannedUntil({ plannedDowntime }, channel, new Date(time));
  expect(at('2026-12-01T08:00:00Z')).toBe(until);
  expect(at('2026-12-01T07:59:59Z')).toBe(null);
  expect(at('2026-12-01T10:00:00Z')).toBe(null);
  expect(at('2026-12-01T08:00:00Z', 'manual_phone_call')).toBe(null);
});
