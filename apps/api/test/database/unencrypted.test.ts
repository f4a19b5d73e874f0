import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';

const PRODUCTION = { NODE_ENV: 'production', PAYERS: '["A","B","C","D"]' };

// Without it nobody would learn that patients' data and the database's password cross a network in clear.
test('a start in production says that its database is reached without TLS, and not of one on this machine', async () => {
  const { connectionString } = await createTestDatabase();
  const warnedBy = async (databaseUrl: string) => {
    const service = await aService({ databaseUrl, env: PRODUCTION });
    await service.stop();
    return service.logLines
      .map((line) => JSON.parse(line) as { level: number; msg: string; variable?: string })
      .filter(({ msg }) => msg.includes('not encrypted'));
  };
  expect(await warnedBy(connectionString)).toEqual([]);
  // An address whose name is not loopback's, and that leads here.
  expect(await warnedBy(connectionString.replace(/127\.0\.0\.1|localhost/, '0.0.0.0'))).toMatchObject([
    { level: 40, variable: 'DATABASE_URL' },
  ]);
});
