import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, test } from 'vitest';
import { aService } from '../a-service.ts';
import { rows } from '../rows.ts';

// Without it an operator would learn from 503s under load that the server takes fewer connections than the service wants.
test('a start warns of a server that takes fewer connections than the service may want', async () => {
  const { connectionString: databaseUrl } = await createTestDatabase();
  const name = new URL(databaseUrl).pathname.slice(1);
  await rows(databaseUrl, `alter database ${name} connection limit 30`);
  const toldBy = async (poolMax: number) => {
    const service = await aService({ databaseUrl, env: { DATABASE_POOL_MAX: String(poolMax) } });
    await service.stop();
    return service.logLines
      .map((line) => JSON.parse(line) as { level: number; msg: string })
      .filter(({ msg }) => msg.includes('max_connections'));
  };
  expect(await toldBy(28)).toEqual([]);
  expect(await toldBy(29)).toMatchObject([
    {
      level: 40,
      workers: 1,
      pool: 29,
      wanted: 31,
      limit: 30,
      msg: 'the server may refuse connections: raise its max_connections, lower DATABASE_POOL_MAX or WORKERS, or put a pooler between',
    },
  ]);
});
