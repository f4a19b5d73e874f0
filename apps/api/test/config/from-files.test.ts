import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config/config.ts';
import { aFile, DATABASE_URL, ENCRYPTION_KEY, faultsOf, PAYERS } from './an-environment.ts';

const file = (names: string[]) =>
  aFile(
    JSON.stringify({ payers: names.map((name) => ({ id: `id-${name}`, name, portal_url: 'https://x' })) }),
  );

test('PAYERS_FILE gives ids of their own; with only PAYERS a payer’s id is its name', () => {
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
