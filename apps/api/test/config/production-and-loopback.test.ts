import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { PRODUCTION } from './an-environment.ts';

test('production trusts keys only and calls no private address', () => {
  expect(readConfig(PRODUCTION)).toMatchObject({ production: true, outputTrust: 'keyed', allowCidrs: [] });
  const chosen = { VERIFICATION_OUTPUT_TRUST: 'open', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' };
  expect(readConfig({ ...PRODUCTION, ...chosen })).toMatchObject({
    outputTrust: 'open',
    allowCidrs: ['10.0.0.0/8'],
  });
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

test('/metrics is at PORT with a token, on every address, or at its own port', () => {
  const token = { METRICS_TOKEN: 'token-of-the-metrics-0123456789' };
  expect(readConfig({ HOST: '0.0.0.0', ...token }).metricsAtPort).toBe(true);
  expect(readConfig({ METRICS_PORT: '9100', ...token })).toMatchObject({
    metricsPort: 9100,
    metricsAtPort: false,
  });
});
