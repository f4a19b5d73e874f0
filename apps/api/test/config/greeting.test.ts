import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { startupSummary } from '../../src/process/startup-summary.ts';

const service = {
  url: 'http://0.0.0.0:3000',
  metricsUrl: undefined,
  firstKeys: { live: { made: null, path: null }, test: { made: null, path: null } },
  firstLink: null,
};

const EXAMPLE_PAYERS = fileURLToPath(new URL('../../payers.example.json', import.meta.url));

const OWN_DATABASE = {
  DATABASE_URL: 'postgres://db.example/ivs',
  ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};
const PRODUCTION = { ...OWN_DATABASE, NODE_ENV: 'production', PAYERS: '["A","B","C","D"]' };

const REPLACE = '            npx -y pnpm@12 iv keys first --replace\n';

const [LIVE, TEST] = [`ivk_live_${'0'.repeat(48)}`, `ivk_test_${'0'.repeat(48)}`];
const kept = (name: string) => join(process.cwd(), '.data', name);

const said = (
  environment: Record<string, string>,
  given: Partial<Parameters<typeof startupSummary>[0]> = {},
) => startupSummary({ ...service, ...given }, readConfig(environment)).join('\n');

// An operator who puts a laptop's service on the network must see at the start whose outputs it trusts, and why.
test.each([
  [{}, 'Outputs: without a key too, since HOST is loopback.'],
  [{ HOST: '0.0.0.0' }, "Outputs: only with a verifier's key, since HOST is not loopback."],
  [
    { HOST: '0.0.0.0', VERIFICATION_OUTPUT_TRUST: 'open' },
    'Outputs: without a key too, since VERIFICATION_OUTPUT_TRUST is open.',
  ],
  [
    { VERIFICATION_OUTPUT_TRUST: 'keyed' },
    "Outputs: only with a verifier's key, since VERIFICATION_OUTPUT_TRUST is keyed.",
  ],
  [PRODUCTION, "Outputs: only with a verifier's key, since NODE_ENV is production."],
  [
    { ...PRODUCTION, SIGN_IN: 'passkeys', PUBLIC_URL: 'https://verify.example.com' },
    "Console                         https://verify.example.com/console\n  The first person is invited by  iv staff add --name 'Ada Jones' --role admin\n",
  ],
  [PRODUCTION, 'Keys: none is printed in production. The first are made with\n    iv keys first\n'],
  [{}, `Live key  not kept here any more; another:\n${REPLACE}`],
  [OWN_DATABASE, `Live key  shown when it was made; another, with this DATABASE_URL:\n${REPLACE}`],
  // Broke: pasted as it was shown, it made a key for the database in the default folder.
  [
    { DATA_DIR: '/srv/ivs' },
    `Live key  not kept here any more; another:\n${REPLACE.replace('npx', 'DATA_DIR=/srv/ivs npx')}`,
  ],
  [OWN_DATABASE, 'A first request, with a key in IV_API_KEY:\n'],
  // Without it a pilot runs for weeks on payers that production refuses.
  [{}, 'Payers: placeholder names, for a first run; production needs yours in PAYERS\n    or PAYERS_FILE.'],
  [{ ROLES: 'verification' }, 'Payers: placeholder names, for a first run; production needs yours'],
  [{ PAYERS_FILE: EXAMPLE_PAYERS }, 'Payers: placeholder names, for a first run; production needs yours'],
  [{ PAYERS: '["A","B","C","Payer Plan 4"]' }, 'Payers: placeholder names, for a first run;'],
  [{}, 'Callbacks: to public addresses and 127.0.0.0/8, ::1/128.'],
  [{ HOST: '::' }, 'Callbacks: to public addresses alone.'],
  [{ HOST: '::', ROLES: 'delivery' }, 'Callbacks: to public addresses alone.'],
  [{}, 'Metrics: http://0.0.0.0:3000/metrics.'],
  [{ HOST: '::' }, 'Metrics: not served, since HOST is not loopback; set METRICS_PORT or'],
  [{ HOST: '::', METRICS_TOKEN: 'x'.repeat(20) }, 'Metrics: http://0.0.0.0:3000/metrics, with the token.'],
])('%o is greeted with: %s', (environment, line) => {
  expect(said(environment)).toContain(`\n  ${line}`);
});

test('payers of one’s own are no placeholders', () => {
  expect(said({ PAYERS: '["A","B","C","D"]' })).not.toContain('Payers:');
  expect(said(PRODUCTION)).not.toContain('Payers:');
});

test('a port of its own for /metrics is shown', () => {
  const metricsUrl = 'http://0.0.0.0:9100';
  expect(said({ METRICS_PORT: '9100' }, { metricsUrl })).toContain('  Metrics: http://0.0.0.0:9100/metrics.');
});

// Its callback goes to loopback, which only a laptop calls.
test('a first request is shown only on a laptop', () => {
  expect(said({})).toContain('A first request, with a key in IV_API_KEY:');
  expect(said({ HOST: '0.0.0.0' })).not.toContain('A first request');
});

test('the keys of a first start are shown side by side, with where they are kept', () => {
  const firstKeys = {
    live: { made: LIVE, path: kept('api-key') },
    test: { made: TEST, path: kept('test-api-key') },
  };
  expect(said({}, { firstKeys })).toContain(
    `
  Live key  ${LIVE}
            kept in .data/api-key
  Test key  ${TEST}
            kept in .data/test-api-key
`,
  );
  const later = {
    live: { made: null, path: kept('api-key') },
    test: { made: null, path: kept('test-api-key') },
  };
  expect(said({}, { firstKeys: later })).toContain(
    '\n  Live key  kept in .data/api-key\n  Test key  kept in .data/test-api-key\n',
  );
  const notKept = { live: { made: LIVE, path: null }, test: { made: TEST, path: null } };
  expect(said(OWN_DATABASE, { firstKeys: notKept })).toContain(
    `  Live key  ${LIVE}\n            shown this once`,
  );
});

// The link says localhost, as people do, and has its own line, so that a terminal can open it.
test('the link into the console is shown where there is one', () => {
  const firstLink = 'A'.repeat(43);
  const url = 'http://127.0.0.1:3000';
  expect(said({}, { url, firstLink })).toContain(
    `
  Console, signed in once by this link, within 30 minutes:
  http://localhost:3000/console/in#${firstLink}
`,
  );
  expect(said({}, { url: 'http://127.0.0.9:3000', firstLink })).toContain(
    'http://127.0.0.9:3000/console/in#',
  );
  expect(said({}, { url })).not.toContain('Console');
});

test('who brings a first key is shown none', () => {
  expect(said({ BOOTSTRAP_API_KEY: 'k'.repeat(20) })).not.toMatch(/live key|test key/i);
});

// A terminal opens with 80 columns: a wrapped command or key cannot be copied.
test.each([
  {},
  { HOST: '::' },
  PRODUCTION,
  OWN_DATABASE,
  { WEBHOOK_ALLOW_CIDRS: Array.from({ length: 9 }, (_, index) => `10.${index}.0.0/16`).join(',') },
  { ROLES: 'delivery', WEBHOOK_ALLOW_CIDRS: Array.from({ length: 9 }, () => '10.0.0.0/8').join(',') },
])('what is shown with %o fits 80 columns', (environment) => {
  const firstKeys = {
    live: { made: LIVE, path: kept('api-key') },
    test: { made: TEST, path: kept('test-api-key') },
  };
  const url = 'http://127.0.0.1:65535';
  const firstLink = 'A'.repeat(43);
  for (const given of [{ url, firstKeys, firstLink }, { url }, { url, metricsUrl: url }]) {
    const longest = said(environment, given)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(longest).toEqual([]);
  }
});

// Broke: the command read two files, neither of which exists.
test('a path that a shell would split is shown in quotes', () => {
  const folder = "/srv/the clinic's own";
  const quoted = String.raw`'/srv/the clinic'\''s own`;
  const firstKeys = {
    live: { made: null, path: null },
    test: { made: null, path: `${folder}/test-api-key` },
  };
  const greeted = said({ DATA_DIR: folder }, { firstKeys });
  expect(greeted).toContain(`$(cat ${quoted}/test-api-key')`);
  expect(greeted).toContain(`DATA_DIR=${quoted}' npx -y pnpm@12 iv keys first --replace`);
});

// It must survive pasting into a shell, even with an apostrophe in a payer's name.
test('the first request is a command that a shell takes, with the test key and a reserved member', () => {
  const PAYERS = JSON.stringify(["O'Neill Dental", 'B', 'C', 'D']);
  const firstKeys = { live: { made: null, path: null }, test: { made: null, path: kept('test-api-key') } };
  const [, command = ''] = said({ PAYERS }, { firstKeys }).split('answers for:\n\n');
  const script = `cat() { echo key; }; curl() { printf '%s\\n' "$@"; }; ${command}`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  const [url, , type, , key, , ...body] = stdout.split('\n');
  expect([url, type, key]).toEqual([
    `${service.url}/requests/`,
    'content-type: application/json',
    'x-key: key',
  ]);
  expect(JSON.parse(body.join('\n'))).toMatchObject({
    patient_info: { subscriber_id: 'TEST-ACTIVE' },
    payer_info: { name: "O'Neill Dental" },
  });
});
