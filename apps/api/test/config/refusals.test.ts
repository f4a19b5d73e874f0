import { fileURLToPath } from 'node:url';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { aFile, DATABASE_URL, ENCRYPTION_KEY, faultsOf, PRODUCTION } from './an-environment.ts';

const EXAMPLE_PAYERS = fileURLToPath(new URL('../../payers.example.json', import.meta.url));

/** Where `PAYERS_FILE` has the text of a file, a file with it. */
const withFile = (environment: Record<string, string>) =>
  environment['PAYERS_FILE']?.startsWith('{')
    ? { ...environment, PAYERS_FILE: aFile(environment['PAYERS_FILE']) }
    : environment;

const REFUSALS: [Record<string, string>, string][] = [
  [{ PORT: 'http' }, 'PORT: expected a port number, as 3000'],
  [{ PORT: '65536' }, 'PORT: '],
  [{ TRUSTED_PROXIES: '10.1.2.3/8' }, 'TRUSTED_PROXIES: '],
  [{ ANONYMOUS_OUTPUT_LIMIT: '0' }, 'ANONYMOUS_OUTPUT_LIMIT: '],
  [{ ANONYMOUS_BODY_BYTES: '10' }, 'ANONYMOUS_BODY_BYTES: '],
  [{ PORT: '1.5' }, 'PORT: '],
  [
    { DATABASE_URL: 'mysql://user:hidden-secret@db' },
    'DATABASE_URL: expected postgres://user:password@host:5432/database',
  ],
  [{ DATABASE_URL: 'hidden-secret' }, 'DATABASE_URL: expected postgres://user:password@host:5432/database'],
  [
    { DATABASE_DIRECT_URL: 'hidden-secret' },
    'DATABASE_DIRECT_URL: expected postgres://user:password@host:5432/database',
  ],
  [{ ENCRYPTION_KEY: 'hidden-secret' }, 'ENCRYPTION_KEY, entry 1: expected id:base64-of-32-bytes'],
  [
    { ENCRYPTION_KEY: `${ENCRYPTION_KEY},k2:hidden-secret` },
    'ENCRYPTION_KEY, entry 2: expected id:base64-of-32-bytes',
  ],
  [{ ENCRYPTION_KEY: `${ENCRYPTION_KEY},${ENCRYPTION_KEY}` }, 'ENCRYPTION_KEY names one key id twice'],
  [{ BOOTSTRAP_API_KEY: 'hidden-secret' }, 'BOOTSTRAP_API_KEY: expected 20 to 200 printable characters'],
  [
    { BOOTSTRAP_API_KEY: 'hidden-secret with spaces' },
    'BOOTSTRAP_API_KEY: expected 20 to 200 printable characters',
  ],
  [{ BOOTSTRAP_API_KEY: 'x'.repeat(201) }, 'BOOTSTRAP_API_KEY: expected 20 to 200 printable characters'],
  // In the issued form with a wrong checksum: the service would start, but the key never work.
  [
    { BOOTSTRAP_API_KEY: `ivk_live_${'0'.repeat(48)}` },
    'BOOTSTRAP_API_KEY: expected 20 to 200 printable characters',
  ],
  [
    { BOOTSTRAP_WEBHOOK_SECRET: 'hidden-secret' },
    'BOOTSTRAP_WEBHOOK_SECRET: expected whsec_ and base64 of 24 to 64 bytes',
  ],
  [{ ROLES: 'http,cook' }, 'ROLES'],
  [{ ROLES: ',' }, 'ROLES: names no role: expected some of http,delivery,verification'],
  [{ DATABASE_POOL_MAX: '1' }, 'DATABASE_POOL_MAX: '],
  [{ DATABASE_POOL_MAX: 'many' }, 'DATABASE_POOL_MAX: expected a number of connections'],
  [{ VERIFICATION_OUTPUT_TRUST: 'all' }, 'VERIFICATION_OUTPUT_TRUST: '],
  [{ WEBHOOK_RETRY_SCHEDULE: '5' }, 'WEBHOOK_RETRY_SCHEDULE: Delay 1 of the retry schedule is "5"'],
  [{ WEBHOOK_ALLOW_CIDRS: '10.0.0.1' }, 'WEBHOOK_ALLOW_CIDRS: The allowed network "10.0.0.1" is not a CIDR'],
  [{ EGRESS_PROXY_URL: 'socks://u:hidden-secret@p' }, 'EGRESS_PROXY_URL: expected http://proxy:port'],
  [{ MAX_BODY_BYTES: 'much' }, 'MAX_BODY_BYTES: expected a number of bytes'],
  [{ MAX_BODY_BYTES: '10' }, 'MAX_BODY_BYTES: '],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: '],
  [{ METRICS_PORT: 'x' }, 'METRICS_PORT: expected a port number, as 3000'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT: expected another port than PORT'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: expected http://'],
  [{ METRICS_TOKEN: 'hidden-secret' }, 'METRICS_TOKEN: expected 20 to 200 printable characters'],
  [{ METRICS_TOKEN: 'hidden-secret with some spaces' }, 'METRICS_TOKEN: expected 20 to 200 printable'],
  [{ PAYERS: 'A,B,C,D' }, 'PAYERS: not JSON.'],
  [{ PAYERS: '{}' }, 'PAYERS: expected a JSON list of four names'],
  [{ PAYERS: '["A","B","C"]' }, 'PAYERS: payers must be exactly four distinct, non-empty names: got 3.'],
  [
    { PAYERS: '["A","B","C","A"]' },
    'PAYERS: payers must be exactly four distinct, non-empty names: number 4 repeats "A".',
  ],
  [
    { PAYERS: '["A","B","C"," "]' },
    'PAYERS: payers must be exactly four distinct, non-empty names: number 4 is empty.',
  ],
  [{ PAYERS_FILE: '/nowhere/payers.json' }, 'PAYERS_FILE: /nowhere/payers.json cannot be read.'],
  [{ PAYERS_FILE: '{' }, 'PAYERS_FILE: not JSON.'],
  [{ PAYERS_FILE: '{"payers":[{"name":"A"}]}' }, 'PAYERS_FILE: '],
  [
    {
      PAYERS_FILE: JSON.stringify({
        payers: [{ id: 'a', name: 'A', sheet: [{ id: 'x', label: 'X', reads: 'yes_no' }] }],
      }),
    },
    'PAYERS_FILE: ✖ a row that reads yes_no needs the benefit that it makes',
  ],
  [
    {
      PAYERS_FILE: JSON.stringify({ payers: ['A', 'B', 'C', 'D'].map((name) => ({ id: 'a', name })) }),
    },
    'PAYERS_FILE: two payers have one id.',
  ],
  [{ DATABASE_URL }, 'ENCRYPTION_KEY: required in production and with DATABASE_URL'],
  [{ ...PRODUCTION, DATABASE_URL: '' }, 'DATABASE_URL: required in production.'],
  [{ ...PRODUCTION, ENCRYPTION_KEY: '' }, 'ENCRYPTION_KEY: required in production and with DATABASE_URL'],
  [
    { ...PRODUCTION, PAYERS: '' },
    'PAYERS: required in production; the placeholder names are for a first run.',
  ],
  [
    { ...PRODUCTION, PAYERS: JSON.stringify(DEFAULT_PAYERS) },
    'PAYERS: required in production; the placeholder names are for a first run.',
  ],
  [
    { ...PRODUCTION, PAYERS: JSON.stringify(DEFAULT_PAYERS.toReversed()) },
    'PAYERS: required in production; the placeholder names are for a first run.',
  ],
  [
    { ...PRODUCTION, PAYERS: '["A","<PAYER_PLAN_2>","C","D"]' }, // as in the spec
    'PAYERS: required in production; the placeholder names are for a first run.',
  ],
  // Broke: it said that PAYERS is required, which nobody had set, beside a file that was read.
  [
    { ...PRODUCTION, PAYERS: '', PAYERS_FILE: EXAMPLE_PAYERS },
    `PAYERS_FILE: ${EXAMPLE_PAYERS} has the placeholder names, which are for a first run.`,
  ],
  [{ PAYERS: '["A","A ","C","D"]' }, 'number 2 has white space around it'],
];

test.each(REFUSALS)('%o is refused, naming the variable and no secret', (environment, fault) => {
  const faults = faultsOf(withFile(environment));
  expect(faults[0]).toContain(fault);
  const text = faults.join('\n');
  expect(text).not.toContain('hidden-secret');
  expect(text).not.toContain('secret-of-the-database');
  if (environment['BOOTSTRAP_API_KEY']) expect(text).not.toContain(environment['BOOTSTRAP_API_KEY']);
});

// Broke: of `PAYERS=A,B,C,D` it was said that it is no JSON, and not what is.
test.each([
  { PAYERS: 'A,B,C,D' },
  { PAYERS: '{}' },
  { PAYERS: '["A"]' },
  { ...PRODUCTION, PAYERS: '' },
  { ...PRODUCTION, PAYERS: '', PAYERS_FILE: EXAMPLE_PAYERS },
  { PAYERS_FILE: '/nowhere/payers.json' },
  { PAYERS_FILE: '{' },
  { PAYERS_FILE: '{"payers":[{"name":"A"}]}' },
] as Record<string, string>[])('%o is reported with an example that starts', (environment) => {
  const text = faultsOf(withFile(environment)).join('\n');
  const [example = ''] = /(?<=example: )[[{].*/.exec(text) ?? [];
  const given = text.startsWith('PAYERS_FILE') ? { PAYERS_FILE: aFile(example) } : { PAYERS: example };
  const read = readConfig(given);
  expect(read.payers.names).toHaveLength(4);
});

test('every fault is reported at once, a line each', () => {
  const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', PAYERS: '[]', DATABASE_URL: 'x' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'PAYERS']);
});
