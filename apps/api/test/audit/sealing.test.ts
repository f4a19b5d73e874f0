import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealKey } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { until } from '@insurance-verification/testing/until';
import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config/config.ts';
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
test('a service seals what is done with it, and writes the seal to its log and its file', async () => {
  const file = join(aFolder(), 'seals.jsonl');
  const service = await aService({ env: { AUDIT_SEAL_KEY: createSealKey(), AUDIT_SEAL_FILE: file } });
  await service.ask('GET', '/requests');
  const sealedLine = () => service.logLines.find((line) => line.includes('sealed the audit'));
  await until('it is in the log', () => sealedLine() !== undefined);
  const sealed = JSON.parse(sealedLine() ?? '') as Record<string, unknown>;
  expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')).toEqual({
    seal: 1,
    note: sealed['note'],
  });
  const [first] = await rows(
    service.databaseUrl,
    'select number, note from audit_seal order by number limit 1',
  );
  expect(first).toEqual({ number: '1', note: sealed['note'] });
  await until('nothing waits for a seal', async () =>
    /^ivs_audit_unsealed_seconds 0$/m.test((await service.ask('GET', '/metrics')).text),
  );
});

// Broke: seals that were removed from the database were made anew over what was left, and nobody learnt of it.
test('a service whose file has a seal that the database lacks signs nothing, and reports it everywhere', async () => {
  const file = join(aFolder(), 'seals.jsonl');
  writeFileSync(file, `${JSON.stringify({ seal: 7, note: 'signed' })}\n`);
  const service = await aService({ env: { AUDIT_SEAL_KEY: createSealKey(), AUDIT_SEAL_FILE: file } });
  await service.ask('GET', '/requests');
  const stopped = async () =>
    (await service.answer<{ stopped: { since: string } | null }>('GET', '/audit/seals')).stopped;
  await until('it has tried', async () => (await stopped()) !== null);
  expect(await stopped()).toEqual({
    cause: 'differs',
    of: 'seal',
    number: 7,
    fault: 'absent',
    holders: [],
    since: expect.any(String),
  });
  expect((await service.ask('GET', '/metrics')).text).toContain(
    '\nivs_audit_sealing_stopped{cause="differs"} 1\n',
  );
  expect(service.logLines.join('')).toContain('the database is not what AUDIT_SEAL_FILE has');
  expect(await rows(service.databaseUrl, 'select from audit_seal')).toEqual([]);
});

// Without it the last lines of a process could be changed until another one seals them.
test('a service that ends seals its last lines', async () => {
  const service = await aService({ env: { AUDIT_SEAL_KEY: createSealKey() } });
  await service.ask('GET', '/requests');
  await service.stop();
  const [left] = await rows(
    service.databaseUrl,
    `select count(*)::int as count from access_log
     where id > (select coalesce(max(last_id), 0) from audit_seal)`,
  );
  expect(left).toEqual({ count: 0 });
});

test('without a key nothing is sealed, without a file only the database remembers, and production is warned', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  warnOfUnsealedAudit(readConfig(production), undefined, log);
  expect(lines.join('')).toContain('the audit is not sealed');
  const keyed = { ...production, AUDIT_SEAL_KEY: createSealKey() };
  const warn = (config: Config) => warnOfUnsealedAudit(config, config.auditSealKey, log);
  warn(readConfig(keyed));
  expect(lines[1]).toContain('the seals of the audit are in the database alone');
  warn(readConfig({ ...keyed, DATA_DIR: '/var/lib/ivs' }));
  warn(readConfig({}));
  expect(lines).toHaveLength(2);
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
