import { expect, test } from 'vitest';
import { PayersFile } from './payers-file.ts';
import { SHEETS } from './sheet/sheets.ts';

const aFile = (entry: object) => ({ payers: [{ id: 'plan-1', name: 'Payer Plan 1', ...entry }] });
const messagesOf = (file: unknown) =>
  PayersFile.safeParse(file).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

test('takes only the names, and everything that is known of a payer', () => {
  expect(PayersFile.safeParse(aFile({})).success).toBe(true);
  const whole = aFile({
    channels: ['api', { source: 'manual_phone_call', attempts: 2, minutes: 90 }],
    skip_unattended: false,
    phone_number: '+1 555 0100',
    menu_path: '4, then 2',
    sheet: [COPAY],
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

const IMPLANTS = { procedure: { system: 'cdt', code: 'D6010' } };
const COPAY = { id: 'copay', label: 'Co-pay', reads: 'dollars', says: { kind: 'copayment' } };

test('takes a sheet by its name as its rows, or its rows unchanged', () => {
  const rows = [
    { id: 'network', label: 'Network: in or out', reads: 'network' },
    COPAY,
    {
      id: 'implants',
      label: 'Implants: y or n',
      reads: 'yes_no',
      yes: { kind: 'active', service: IMPLANTS },
      no: { kind: 'not_covered', service: IMPLANTS, texts: ['Not even with an appeal.'] },
    },
  ];
  for (const [sheet, asked] of [
    ['dental', SHEETS.dental],
    ['medical', SHEETS.medical],
    [rows, rows],
  ])
    expect(PayersFile.parse(aFile({ sheet }))).toEqual(aFile({ sheet: asked }));
});

// Without it a verifier would be shown a row whose answer goes nowhere, or is refused when it is handed in.
test.each<[string, unknown, string]>([
  ['no sheet there is', 'vision', 'payers.0.sheet: expected "dental", "medical" or a list of rows'],
  ['no list', { rows: [] }, 'payers.0.sheet: expected "dental", "medical" or a list of rows'],
  ['no row', [], 'payers.0.sheet: Too small: expected array to have >=1 items'],
  ['an id twice', [COPAY, COPAY], 'payers.0.sheet: two rows have one id'],
  [
    'a row without a label',
    [{ ...COPAY, label: '' }],
    'payers.0.sheet.0.label: Too small: expected string to have >=1 characters',
  ],
  ['a row with another member', [{ ...COPAY, hint: 'x' }], 'payers.0.sheet.0.hint: no such member'],
  [
    'a misspelt member of a benefit',
    [{ ...COPAY, says: { kind: 'copayment', servise: {} } }],
    'payers.0.sheet.0.says.servise: no such member',
  ],
  [
    'a misspelt member far below',
    [{ ...COPAY, says: { kind: 'copayment', service: { types: [{ cod: '98', code: '98' }] } } }],
    'payers.0.sheet.0.says.service.types.0.cod: no such member',
  ],
  [
    'an answer that makes nothing',
    [{ id: 'copay', label: 'Co-pay', reads: 'dollars' }],
    'payers.0.sheet.0.says: a row that reads dollars needs the benefit that it makes',
  ],
  [
    'a yes alone',
    [{ id: 'a', label: 'a', reads: 'yes_no', yes: { kind: 'active' } }],
    'payers.0.sheet.0.no: a row that reads yes_no needs the benefit that it makes',
  ],
  [
    'a benefit of a coverage',
    [{ ...COPAY, reads: 'group_number' }],
    'payers.0.sheet.0.says: a row that reads group_number has no such benefit',
  ],
  [
    'words that no payer said yet',
    [{ ...COPAY, says: { kind: 'copayment', quote: 'Twenty' } }],
    'payers.0.sheet.0.says.quote: a quote is what the payer says when it is asked',
  ],
])('refuses a sheet that is %s, and says where', (_, sheet, message) => {
  expect(messagesOf(aFile({ sheet }))).toEqual([message]);
});

test('refuses what is no benefit at its place', () => {
  const faults = messagesOf(
    aFile({ sheet: [COPAY, { ...COPAY, id: 'b', says: { kind: 'gift' }, reads: 'euros' }] }),
  );
  expect(faults?.map((fault) => fault.split(':')[0])).toEqual([
    'payers.0.sheet.1.reads',
    'payers.0.sheet.1.says.kind',
  ]);
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
