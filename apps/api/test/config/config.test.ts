import { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createSealKey } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { expect, test } from 'vitest';
import { type Config, ConfigError, readConfig } from '../../src/config/config.ts';

const DATABASE_URL = 'postgres://user:secret-of-the-database@db.example:5432/ivs';
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const PAYERS = '["A","B","C","D"]';
const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL, ENCRYPTION_KEY, PAYERS };

const aFile = (text: string) => {
  const path = join(aFolder(), 'payers.json');
  writeFileSync(path, text);
  return path;
};

/** The faults that a start would print. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const [first, ...faults] = err.message.split('\n');
    expect(first).toBe('The configuration cannot be used:');
    return faults.map((fault) => fault.trim());
  }
  return [];
}

test('with nothing set a laptop gets the embedded database, open trust, its own loopback and all roles', () => {
  const { payers, retrySchedule, dataDir, sourceOf: _, ...config } = readConfig({});
  expect(config).toEqual({
    connections: [],
    production: false,
    host: '127.0.0.1',
    onLoopback: true,
    local: true,
    hasConsole: true,
    port: 3000,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    encryptionKey: undefined,
    isEmbedded: true,
    auditSealKey: undefined,
    auditSealFile: expect.stringMatching(/\.data\/audit-seals\.jsonl$/),
    bootstrapApiKey: undefined,
    bootstrapWebhookSecret: undefined,
    roles: ['http', 'delivery', 'verification'],
    databasePoolMax: 20,
    workLeaseSeconds: 120,
    backupDays: null,
    outputTrust: 'open',
    outputTrustIsChosen: false,
    allowCidrs: ['127.0.0.0/8', '::1/128'],
    egressProxyUrl: undefined,
    bodyBytesMax: 1_048_576,
    metricsPort: undefined,
    metricsToken: undefined,
    metricsAtPort: true,
    anonymousOutputLimit: 60,
    anonymousBodyBytes: 262_144,
    trustedProxies: [],
    logLevel: 'info',
  });
  expect(dataDir).toMatch(/\/\.data$/);
  expect(payers.names).toEqual([...DEFAULT_PAYERS]);
  expect(retrySchedule).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
});

test('production trusts keys only and calls no private address', () => {
  expect(readConfig(PRODUCTION)).toMatchObject({ production: true, outputTrust: 'keyed', allowCidrs: [] });
  const chosen = { VERIFICATION_OUTPUT_TRUST: 'open', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' };
  expect(readConfig({ ...PRODUCTION, ...chosen })).toMatchObject({
    outputTrust: 'open',
    allowCidrs: ['10.0.0.0/8'],
  });
});

test('every variable is read', () => {
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  expect(
    readConfig({
      PORT: '0',
      HOST: '::1',
      DATABASE_URL,
      DATABASE_DIRECT_URL: 'postgresql://direct.example/ivs',
      DATA_DIR: '/var/lib/ivs',
      PAYERS,
      ENCRYPTION_KEY,
      AUDIT_SEAL_KEY: createSealKey(),
      AUDIT_SEAL_FILE: '/var/log/ivs/seals.jsonl',
      BOOTSTRAP_API_KEY: 'k'.repeat(20),
      BOOTSTRAP_WEBHOOK_SECRET: secret,
      ROLES: ' delivery ',
      DATABASE_POOL_MAX: '7',
      VERIFICATION_OUTPUT_TRUST: 'keyed',
      WEBHOOK_RETRY_SCHEDULE: '0s, 250ms,2h',
      WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
      EGRESS_PROXY_URL: 'http://proxy.example:3128',
      MAX_BODY_BYTES: '2048',
      WORK_LEASE_SECONDS: '60',
      BACKUP_DAYS: '35',
      X12_CREDENTIALS: '{}',
      METRICS_PORT: '9100',
      METRICS_TOKEN: 'token-of-the-metrics-0123456789',
      ANONYMOUS_OUTPUT_LIMIT: '6',
      ANONYMOUS_BODY_BYTES: '1024',
      TRUSTED_PROXIES: '10.1.0.0/16, ::1/128',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/',
      LOG_LEVEL: 'trace',
    }),
  ).toEqual({
    connections: [],
    production: false,
    host: '::1',
    onLoopback: true,
    local: true,
    hasConsole: false,
    port: 0,
    databaseUrl: DATABASE_URL,
    databaseDirectUrl: 'postgresql://direct.example/ivs',
    dataDir: '/var/lib/ivs',
    payers: expect.objectContaining({ names: ['A', 'B', 'C', 'D'] }),
    encryptionKey: ENCRYPTION_KEY,
    isEmbedded: false,
    auditSealKey: expect.objectContaining({ privateKey: expect.any(KeyObject) }),
    auditSealFile: '/var/log/ivs/seals.jsonl',
    bootstrapApiKey: 'k'.repeat(20),
    bootstrapWebhookSecret: secret,
    roles: ['delivery'],
    databasePoolMax: 7,
    outputTrust: 'keyed',
    outputTrustIsChosen: true,
    retrySchedule: [0, 0.25, 7200],
    allowCidrs: ['10.0.0.0/8', 'fd00::/8'],
    egressProxyUrl: 'http://proxy.example:3128',
    bodyBytesMax: 2048,
    anonymousOutputLimit: 6,
    anonymousBodyBytes: 1024,
    trustedProxies: ['10.1.0.0/16', '::1/128'],
    workLeaseSeconds: 60,
    backupDays: 35,
    metricsPort: 9100,
    metricsToken: 'token-of-the-metrics-0123456789',
    metricsAtPort: false,
    tracesUrl: 'http://collector.example:4318/v1/traces',
    logLevel: 'trace',
    sourceOf: expect.any(Function),
  });
});

// A machine that is set up for an earlier version would run one process, and look as if it used all cores.
test.each(['2', '8', '0', 'auto', 'all'])(
  'WORKERS=%s is refused with the page that shows how several run',
  (WORKERS) => {
    expect(faultsOf({ WORKERS })).toEqual([
      'WORKERS: expected 1 or nothing, since a process is one; apps/docs/deploying.md#several-processes shows how to run several.',
    ]);
  },
);

test('WORKERS=1 is what a process is', () => {
  expect(JSON.stringify(readConfig({ WORKERS: '1' }))).toBe(JSON.stringify(readConfig({})));
});

// Compose files and CI set a variable to an empty string when they mean "not set".
test('an empty variable counts as absent', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'PAYERS',
    'ENCRYPTION_KEY',
    'LOG_LEVEL',
    'METRICS_PORT',
    'METRICS_TOKEN',
  ];
  const empty = readConfig(Object.fromEntries(names.map((name) => [name, ''])));
  const { payers, sourceOf: _, ...config } = empty;
  const { payers: payersOfNone, sourceOf: __, ...none } = readConfig({});
  expect(config).toEqual(none);
  expect(payers.names).toEqual(payersOfNone.names);
});

// `WEBHOOK_ALLOW_CIDRS=` means that no network is allowed. Broke: it allowed loopback.
test.each(['', ' ', ','])('a list that is %j is empty, and never its default', (nothing) => {
  expect(readConfig({ WEBHOOK_ALLOW_CIDRS: nothing }).allowCidrs).toEqual([]);
  expect(readConfig({ TRUSTED_PROXIES: nothing }).trustedProxies).toEqual([]);
  expect(faultsOf({ ROLES: nothing })).toEqual([
    'ROLES: names no role: expected some of http,delivery,verification',
  ]);
  expect(faultsOf({ WEBHOOK_RETRY_SCHEDULE: nothing })[0]).toMatch(
    /^WEBHOOK_RETRY_SCHEDULE: Delay 1 of the retry schedule is ""/,
  );
});

// Without it HOST=0.0.0.0 on a laptop applied strangers' forgeries, and called addresses behind its own firewall.
test.each([
  '0.0.0.0',
  '::',
  '10.0.0.5',
  '192.168.1.7',
  'host.example',
  '127.0.0.1.example',
  '::ffff:10.0.0.1',
])('on %s trust and networks are those of production, and /metrics is not for everyone', (host) => {
  expect(readConfig({ HOST: host })).toMatchObject({
    production: false,
    onLoopback: false,
    local: false,
    outputTrust: 'keyed',
    allowCidrs: [],
    metricsAtPort: false,
  });
});

test.each([
  '127.0.0.1',
  '127.1',
  '127.8.9.10',
  '::1',
  '0:0::1',
  '::ffff:127.0.0.1',
  'localhost',
  'LocalHost',
])('on %s a laptop is a laptop, and production is production', (host) => {
  expect(readConfig({ HOST: host })).toMatchObject({
    local: true,
    outputTrust: 'open',
    allowCidrs: ['127.0.0.0/8', '::1/128'],
    metricsAtPort: true,
  });
  expect(readConfig({ ...PRODUCTION, HOST: host })).toMatchObject({
    onLoopback: true,
    local: false,
    outputTrust: 'keyed',
    allowCidrs: [],
  });
});

test('what is chosen counts on every address', () => {
  const chosen = { VERIFICATION_OUTPUT_TRUST: 'open', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' };
  expect(readConfig({ HOST: '0.0.0.0', ...chosen })).toMatchObject({
    outputTrust: 'open',
    outputTrustIsChosen: true,
    allowCidrs: ['10.0.0.0/8'],
  });
});

test('/metrics is at PORT behind a token, on every address, or at its own port', () => {
  const token = { METRICS_TOKEN: 'token-of-the-metrics-0123456789' };
  expect(readConfig({ HOST: '0.0.0.0', ...token }).metricsAtPort).toBe(true);
  expect(readConfig({ METRICS_PORT: '9100', ...token })).toMatchObject({
    metricsPort: 9100,
    metricsAtPort: false,
  });
});

// A worker beside an http process on one machine would find its port taken, and fail to start.
test('a process without the http role serves nothing unless it is given a port', () => {
  expect(readConfig({ ROLES: 'delivery' }).port).toBeUndefined();
  expect(readConfig({ ROLES: 'delivery', PORT: '3001' }).port).toBe(3001);
});

const EXAMPLE_PAYERS = fileURLToPath(new URL('../../payers.example.json', import.meta.url));

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
  [{ PAYERS_FILE: aFile('{') }, 'PAYERS_FILE: not JSON.'],
  [{ PAYERS_FILE: aFile('{"payers":[{"name":"A"}]}') }, 'PAYERS_FILE: '],
  [
    {
      PAYERS_FILE: aFile(
        JSON.stringify({
          payers: [{ id: 'a', name: 'A', sheet: [{ id: 'x', label: 'X', reads: 'yes_no' }] }],
        }),
      ),
    },
    'PAYERS_FILE: ✖ a row that reads yes_no needs the benefit that it makes',
  ],
  [
    {
      PAYERS_FILE: aFile(JSON.stringify({ payers: ['A', 'B', 'C', 'D'].map((name) => ({ id: 'a', name })) })),
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
  const faults = faultsOf(environment);
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
  { PAYERS_FILE: aFile('{') },
  { PAYERS_FILE: aFile('{"payers":[{"name":"A"}]}') },
])('%o is reported with an example that starts', (environment) => {
  const text = faultsOf(environment).join('\n');
  const [example = ''] = /(?<=example: )[[{].*/.exec(text) ?? [];
  const given = text.startsWith('PAYERS_FILE') ? { PAYERS_FILE: aFile(example) } : { PAYERS: example };
  const read = readConfig(given);
  expect(read.payers.names).toHaveLength(4);
});

test('every fault is reported at once, a line each', () => {
  const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'x', PAYERS: '[]', DATABASE_URL: 'x' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'PAYERS']);
});

const file = (names: string[]) =>
  aFile(
    JSON.stringify({ payers: names.map((name) => ({ id: `id-${name}`, name, portal_url: 'https://x' })) }),
  );

test('PAYERS_FILE gives ids of their own; with PAYERS alone a payer’s id is its name', () => {
  expect(readConfig({ PAYERS_FILE: file(['A', 'B', 'C', 'D']) }).payers.idOf('C')).toBe('id-C');
  expect(readConfig({ PAYERS }).payers.idOf('C')).toBe('C');
});

test('PAYERS and PAYERS_FILE may both be set only when they agree', () => {
  expect(readConfig({ PAYERS, PAYERS_FILE: file(['A', 'B', 'C', 'D']) }).payers.idOf('A')).toBe('id-A');
  expect(faultsOf({ PAYERS, PAYERS_FILE: file(['A', 'B', 'D', 'C']) })).toEqual([
    'PAYERS and PAYERS_FILE name different payers. Set one of them, or make them agree.',
  ]);
});

const SECRETS: Record<string, { value: string; key: keyof Config }> = {
  DATABASE_URL: { value: DATABASE_URL, key: 'databaseUrl' },
  DATABASE_DIRECT_URL: { value: 'postgres://user:hidden@direct.example/ivs', key: 'databaseDirectUrl' },
  ENCRYPTION_KEY: { value: ENCRYPTION_KEY, key: 'encryptionKey' },
  BOOTSTRAP_API_KEY: { value: 'k'.repeat(20), key: 'bootstrapApiKey' },
  BOOTSTRAP_WEBHOOK_SECRET: {
    value: `whsec_${Buffer.alloc(24, 3).toString('base64')}`,
    key: 'bootstrapWebhookSecret',
  },
  METRICS_TOKEN: { value: 'token-of-the-metrics-0123456789', key: 'metricsToken' },
  EGRESS_PROXY_URL: { value: 'http://user:hidden@proxy.example:3128', key: 'egressProxyUrl' },
};

// A secret that a container platform mounts as a file stays out of its list of variables.
test.each(Object.entries(SECRETS))('%s comes from a file as well', (name, { value, key }) => {
  const others = name === 'DATABASE_URL' ? { ENCRYPTION_KEY } : {};
  const config = readConfig({ ...others, [`${name}_FILE`]: aFile(`${value}\n`) });
  expect(config[key]).toBe(value);
  expect(faultsOf({ ...others, [name]: value, [`${name}_FILE`]: aFile(value) })).toEqual([
    `${name} and ${name}_FILE are both set. Set one of them.`,
  ]);
});

test('what is wrong with a secret of a file is reported under the name of the file’s variable', () => {
  expect(faultsOf({ ENCRYPTION_KEY_FILE: aFile('hidden-secret') })[0]).toMatch(
    /^ENCRYPTION_KEY_FILE, entry 1: expected id:base64-of-32-bytes/,
  );
  expect(faultsOf({ METRICS_TOKEN_FILE: aFile('short') })[0]).toMatch(
    /^METRICS_TOKEN_FILE: expected 20 to 200/,
  );
  expect(faultsOf({ X12_CREDENTIALS_FILE: aFile('hidden-secret') })).toEqual([
    'X12_CREDENTIALS_FILE: not JSON.',
  ]);
  expect(faultsOf({ DATABASE_URL_FILE: '/nowhere/url', PORT: 'x' })).toEqual([
    'DATABASE_URL_FILE: /nowhere/url cannot be read (ENOENT).',
    'PORT: expected a port number, as 3000',
  ]);
});
