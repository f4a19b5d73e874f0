import { expect, test } from 'vitest';
import { PayersFile } from './payers-file.ts';

const aFile = (entry: object) => ({ payers: [{ id: 'plan-1', name: 'Payer Plan 1', ...entry }] });
const messagesOf = (file: unknown) =>
  PayersFile.safeParse(file).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

test('takes the names alone, and everything that is known of a payer', () => {
  expect(PayersFile.safeParse(aFile({})).success).toBe(true);
  const whole = aFile({
    channels: ['api', { source: 'manual_phone_call', attempts: 2, minutes: 90 }],
    skip_unattended: false,
    phone_number: '+1 555 0100',
    menu_path: '4, then 2',
    portal_url: 'https://portal.example/',
    notes: 'Ask for the eligibility desk.',
    x12_payer_id: '60054',
    x12: {
      url: 'https://clearinghouse.example/270',
      envelope: 'multipart',
      sender_id: 'IVSERVICE',
      sender_qualifier: '30',
      receiver_id: 'CLEARINGHOUSE',
      trace_origin: '9IVSERVICE',
      time_zone: 'America/Chicago',
      test: true,
      in_flight_max: 5,
    },
    in_flight_max: 20,
    attempts: 3,
  });
  expect(PayersFile.parse(whole)).toEqual(whole);
});

// Without it a mistyped key would be dropped, and the route would silently differ from the intended one.
test('refuses a key it does not know', () => {
  expect(messagesOf(aFile({ chanels: ['api'] }))).toEqual(['payers.0: Unrecognized key: "chanels"']);
});

// Without it a request would return to a channel it has already been through.
test('refuses a route that names a channel twice, an unknown one or none', () => {
  expect(messagesOf(aFile({ channels: ['api', { source: 'api' }] }))).toEqual([
    'payers.0.channels: names one channel twice',
  ]);
  expect(PayersFile.safeParse(aFile({ channels: ['fax'] })).success).toBe(false);
  expect(PayersFile.safeParse(aFile({ channels: [] })).success).toBe(false);
});

// Without it only the first inquiry of the day would reveal that the payer cannot be asked.
test('refuses an X12 connection that cannot be used', () => {
  const x12 = { url: 'https://clearinghouse.example/270', sender_id: 'IVSERVICE', receiver_id: 'CH' };
  const faults = (change: object) => messagesOf(aFile({ x12: { ...x12, ...change } }));
  expect(faults({})).toBeUndefined();
  expect(faults({ time_zone: 'Mars/Olympus' })).toEqual([
    'payers.0.x12.time_zone: expected an IANA time zone, for example America/New_York',
  ]);
  expect(faults({ sender_id: 'A*B' })).toHaveLength(1);
  expect(faults({ sender_id: 'A'.repeat(16) })).toHaveLength(1);
  expect(faults({ url: 'ftp://clearinghouse.example' })).toHaveLength(1);
});
