import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealKey } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { warnOfUnsealedAudit } from '../../src/process/database/warn-at-start.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://x@db.example/x',
  ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PAYERS: '["A","B","C","D"]',
};

// Breaks if the audit of a running service is not sealed, or its seals are in the database alone.
test('a service seals what is done with it, and tells the seal in its log and its file', async () => {
  const file = join(aFolder(), 'seals.jsonl');
  const service = await aService({ env: { AUDIT_SEAL_KEY: createSealKey(), AUDIT_SEAL_FILE: file } });
  await service.ask('GET', '/requests');
  await until('it is in the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('\n'));
  const told = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const sealed = told.find(({ msg }) => msg === 'sealed the audit');
  expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')).toEqual({
    seal: 1,
    note: sealed?.['note'],
  });
  const [first] = await rows(
    service.databaseUrl,
    'select number, note from audit_seal order by number limit 1',
  );
  expect(first).toEqual({ number: '1', note: sealed?.['note'] });
  await until('nothing waits for a seal', async () =>
    /^ivs_audit_unsealed_seconds 0$/m.test((await service.ask('GET', '/metrics')).text),
  );
});

test('without a key nothing is sealed, and production is warned', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  warnOfUnsealedAudit(readConfig(production), undefined, log);
  expect(lines.join('')).toContain('the audit is not sealed');
  const config = readConfig({ ...production, AUDIT_SEAL_KEY: createSealKey() });
  warnOfUnsealedAudit(config, config.auditSealKey, log);
  warnOfUnsealedAudit(readConfig({}), undefined, log);
  expect(lines).toHaveLength(1);
});

test.each([
  [{ AUDIT_SEAL_KEY: 'k1:secret' }, 'AUDIT_SEAL_KEY: expected an Ed25519 private key as PEM'],
  [
    { AUDIT_SEAL_FILE: '/seals' },
    'AUDIT_SEAL_FILE: nothing is sealed with DATABASE_URL and without AUDIT_SEAL_KEY',
  ],
])('%j stops the start', (env, sentence) => {
  expect(() => readConfig({ ...production, ...env })).toThrow(sentence);
});
