import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { greeting } from '../../src/greet.ts';
import type { Service } from '../../src/start-service.ts';

const service: Service = {
  url: 'http://0.0.0.0:3000',
  metricsUrl: undefined,
  madeApiKey: null,
  keptApiKeyPath: undefined,
  stop: async () => undefined,
};

const told = (environment: Record<string, string>, given: Partial<Service> = {}) =>
  greeting({ ...service, ...given }, readConfig(environment)).join('\n');

// Who puts a laptop's service on the network must see at the start what it believes now, and why.
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
  [
    {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://db.example/ivs',
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      PAYERS: '["A","B","C","D"]',
    },
    "Outputs: only with a verifier's key, since NODE_ENV is production.",
  ],
  [{}, 'Callbacks: to public addresses and 127.0.0.0/8, ::1/128.'],
  [{ HOST: '::' }, 'Callbacks: to public addresses alone.'],
  [{ HOST: '::', ROLES: 'delivery' }, 'Callbacks: to public addresses alone.'],
  [{}, 'Metrics: http://0.0.0.0:3000/metrics.'],
  [{ HOST: '::' }, 'Metrics: not served, since HOST is not loopback; set METRICS_PORT or METRICS_TOKEN.'],
  [{ HOST: '::', METRICS_TOKEN: 'x'.repeat(20) }, 'Metrics: http://0.0.0.0:3000/metrics, with the token.'],
])('%o is greeted with: %s', (environment, line) => {
  expect(told(environment)).toContain(`\n  ${line}`);
});

test('a port of its own for /metrics is told', () => {
  const metricsUrl = 'http://0.0.0.0:9100';
  expect(told({ METRICS_PORT: '9100' }, { metricsUrl })).toContain('  Metrics: http://0.0.0.0:9100/metrics.');
});

// Its callback goes to loopback, which nothing but a laptop calls.
test('a first request is shown on a laptop alone', () => {
  expect(told({})).toContain('A first request:');
  expect(told({ HOST: '0.0.0.0' })).not.toContain('A first request:');
});
