import { problemOf } from '@insurance-verification/schema';
import { exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { aDatabaseGate } from '../a-database-gate.ts';
import { aService } from '../a-service.ts';

/** Texts that cannot be keys; the last has the issued form with a wrong checksum. */
const impossible: [what: string, key: string][] = [
  ['4,000 characters', 'k'.repeat(4_000)],
  ['a tab', 'bootstrap-key\tof-the-tests-0123456789'],
  ['bytes beyond ASCII', 'bootstrap-key-of-the-tests-é-012345'],
  ['nothing', ''],
  ['spaces alone', '   '],
  ['two keys', `${'k'.repeat(30)}, ${'k'.repeat(30)}`],
  ['a wrong checksum', `ivk_live_${'0'.repeat(48)}`],
];

// Guessed keys must be cheap: a look-up for each would let strangers load the database.
test('an x-key that can be none is refused without asking the database', async () => {
  const gate = await aDatabaseGate();
  const service = await aService({
    databaseUrl: gate.databaseUrl,
    env: { DATABASE_DIRECT_URL: gate.directUrl, ROLES: 'http' },
  });
  await gate.shut();
  for (const [what, key] of impossible) {
    for (const path of ['/requests/', '/trpc/requests.list']) {
      const bytes = Buffer.from(head(`GET ${path}`, [`x-key: ${key}`]), 'latin1');
      expect({ what, status: (await exchange(service.url, bytes)).status }).toEqual({ what, status: 401 });
    }
  }
  // And the gate is really shut: a possible key is looked up.
  expect((await service.ask('GET', '/requests/', { key: 'k'.repeat(30) })).status).toBe(503);
});

test('two x-key headers are no key', async () => {
  const service = await aService();
  const key = 'x-key: bootstrap-key-of-the-tests-0123456789';
  expect((await exchange(service.url, head('GET /requests/', [key]))).status).toBe(200);
  expect(await exchange(service.url, head('GET /requests/', [key, key]))).toMatchObject({
    status: 401,
    json: problemOf('unauthorized'),
  });
});
