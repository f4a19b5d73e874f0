import { KeyObject } from 'node:crypto';
import { DEFAULT_PAYERS } from '@insurance-verification/schema';
import { createSealKey } from '@insurance-verification/store';
import { DEFAULT_RETRY_SCHEDULE } from '@insurance-verification/webhook';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { DATABASE_URL, ENCRYPTION_KEY, faultsOf, PAYERS } from './an-environment.ts';

test('with nothing set a laptop gets the embedded database, open trust, its own loopback and all roles', () => {
  const { payers, retrySchedule, dataDir, sourceOf: _, ...config } = readConfig({});
  expect(config).toEqual({
    connections: [],
    production: false,
    host: '127.0.0.1',
    onLoopback: true,
    local: true,
    hasConsole: true,
    signInWay: 'link',
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
  expect(retrySchedule).toEqual(DEFAULT_RETRY_SCHEDULE);
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
    signInWay: 'link',
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
      'WORKERS: expected 1 or nothing, since it is no longer supported; apps/docs/deploying.md#several-processes shows how to run several.',
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

// Without it a service behind a proxy would show its metrics to the world, and post webhooks to its own machine.
test('an https address of its own makes a process no local one, wherever it listens', () => {
  const { local, metricsAtPort, allowCidrs, outputTrust, hasConsole } = readConfig({
    PUBLIC_URL: 'https://verify.example.com',
  });
  expect({ local, metricsAtPort, allowCidrs, outputTrust, hasConsole }).toEqual({
    local: false,
    metricsAtPort: false,
    allowCidrs: [],
    outputTrust: 'keyed',
    hasConsole: false,
  });
  expect(readConfig({ PUBLIC_URL: 'http://localhost:3000' })).toMatchObject({
    local: true,
    metricsAtPort: true,
  });
  expect(
    readConfig({ PUBLIC_URL: 'https://verify.example.com', METRICS_TOKEN: 'x'.repeat(20) }),
  ).toMatchObject({
    metricsAtPort: true,
  });
});

// A worker beside an http process on one machine would find its port taken, and fail to start.
test('a process without the http role serves nothing unless it is given a port', () => {
  expect(readConfig({ ROLES: 'delivery' }).port).toBeUndefined();
  expect(readConfig({ ROLES: 'delivery', PORT: '3001' }).port).toBe(3001);
});
