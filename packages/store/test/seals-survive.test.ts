import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '@insurance-verification/testing/until';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMasterKey, openStore, sealLines, type Store } from '../src/index.ts';
import { aServer } from './ground/a-server.ts';
import { encryptAll, sealKey, sealPem, verdictOf } from './ground/audit-seals.ts';
import { openTestStores } from './ground/open-test-stores.ts';

vi.setConfig({ testTimeout: 120_000 }); // one starts two servers

const program = fileURLToPath(new URL('../src/audit/seal-lines.fixture.ts', import.meta.url));

/** Lines of the audit, and seals whose numbers count up without a gap. */
async function written(store: Store): Promise<[seals: number, lines: number]> {
  const { rows } = await sql<{ seals: number; lines: number }>`
    select (select count(*) from audit_seal)::int as seals, (select count(*) from access_log)::int as lines`.execute(
    store.db,
  );
  return [rows[0]?.seals ?? 0, rows[0]?.lines ?? 0];
}

const write = (store: Store, count: number) =>
  sql`insert into access_log (operation) select 'requests.get' from generate_series(1, ${count})`.execute(
    store.db,
  );

// Without it a process that dies between reading the lines and writing their seal would leave them out, or twice in.
test('a process that is killed with the seal in its hand has sealed nothing, and the next one seals it', async () => {
  const { store, sql: query, connectionString, encryptionKey } = await openTestStores();
  await write(store, 100);
  await encryptAll(store, 40);
  await write(store, 500);
  const child = spawn(
    process.execPath,
    ['--conditions=@insurance-verification/source', program, connectionString, encryptionKey],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'close');
  child.stdin.end(sealPem);
  await store.db.transaction().execute(async (trx) => {
    await sql`lock table audit_seal in exclusive mode`.execute(trx); // it may be read, not written
    await until('the seal waits to be written', async () => {
      const waiting = await query(
        `select from pg_locks where relation = 'audit_seal'::regclass and mode = 'RowExclusiveLock' and not granted`,
      );
      return waiting.length > 0;
    });
    expect((await sealLines(store, { key: sealKey })).kind).toBe('busy');
    child.kill('SIGKILL');
    await ended;
  });
  await until('the server has noticed', async () => {
    const { kind } = await sealLines(store, { key: sealKey });
    return kind === 'sealed';
  });
  expect(await verdictOf(store)).toEqual([4, 600]);
  expect(await written(store)).toEqual([4, 600]);
});

// Without it a failover would fork the chain, or lose the lines around it from the seals.
test('through a failover everything is sealed once, by any process', async () => {
  const primary = await aServer();
  const standby = await primary.addStandby();
  onTestFinished(standby.stop);
  await primary.set('synchronous_standby_names', 'standby');
  const [first, second] = [primary, standby].map(({ connectionString }) => new URL(connectionString));
  const url = primary.connectionString.replace(first?.host ?? '', `${first?.host},${second?.host}`);
  const encryptionKey = createMasterKey('k1');
  const stores: Store[] = [];
  for (let index = 0; index < 3; index += 1) {
    const store = await openStore({ connectionString: url, encryptionKey });
    onTestFinished(() => store.close());
    stores.push(store);
  }
  const [store, rival, writer] = stores as [Store, Store, Store];
  let isOver = false;
  let sealCount = 0;
  let lineCount = 0;
  const errors = new Set<string>();
  const going = async (step: () => Promise<void>) => {
    while (!isOver)
      await step().catch((err: unknown) => void errors.add(err instanceof Error ? err.name : 'other'));
  };
  const sealing = (on: Store) =>
    going(async () => {
      if ((await sealLines(on, { key: sealKey, waitMs: 1_000 })).kind === 'sealed') sealCount += 1;
    });
  const running = Promise.all([
    sealing(store),
    sealing(rival),
    going(async () => {
      await write(writer, 5);
      lineCount += 5;
    }),
  ]);
  const goOn = async () => {
    const [seals, lines] = [sealCount + 10, lineCount + 50];
    await until('more is written and sealed', () => sealCount >= seals && lineCount >= lines, 60_000);
  };
  await goOn();
  await primary.stop();
  await standby.admin('select pg_promote()');
  await goOn();
  isOver = true;
  await running;
  await encryptAll(store);
  const [seals, lines] = await written(store);
  expect(lines).toBeGreaterThanOrEqual(lineCount);
  expect(await verdictOf(store)).toEqual([seals, lines]);
  expect(errors.size).toBeGreaterThan(0);
});
