import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSealKey,
  type MadeSeal,
  openStore,
  readSealKey,
  sealLines,
} from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSealFile } from '../../src/process/sealing/create-seal-file.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { rows } from '../rows.ts';

const key = readSealKey(createSealKey());
const { connectionString } = await createTestDatabase();
const store = await openStore({
  connectionString,
  encryptionKey: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
});
afterAll(() => store.close());

async function aSeal(): Promise<MadeSeal> {
  await rows(connectionString, `insert into access_log (operation) values ('requests.get')`);
  const sealed = await sealLines(store, { key });
  return sealed.kind === 'sealed' ? sealed.seal : expect.fail(sealed.kind);
}

beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) await aSeal();
});

function aFile(path = join(aFolder(), 'seals.jsonl')) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const numbers = () =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { seal: number }).seal);
  return { path, lines, numbers, add: createSealFile(store, path, log) };
}

// Without it the file of a new machine, or after a full disk, would tell nothing about the time before.
test('the file gets what it lacks, then each seal', async () => {
  const { add, numbers, path, lines } = aFile();
  const made = await aSeal();
  await add(made);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[3] ?? '')).toEqual({ seal: 4, note: made.note });
  await aSeal();
  await add(await aSeal());
  expect(numbers()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(lines).toEqual([]);
});

// Without it a removed record of dropped lines would leave no trace outside of the database.
test('the record of dropped lines is in the file before the seal that follows it', async () => {
  const { add, path } = aFile();
  const made = await aSeal();
  await add(made);
  await rows(connectionString, `insert into audit_drop values (1, $1, 'signed')`, [made.number]);
  const next = await aSeal();
  expect(next.drops).toEqual([{ number: 1, note: 'signed' }]);
  await add(next);
  await add(await aSeal());
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('"drop"'))).toEqual([
    JSON.stringify({ drop: 1, note: 'signed' }),
  ]);
  expect(lines.at(-3)).toContain('"drop"');
});

// A full disk takes half a line, and so does a machine that loses power.
test('half a line at the end is left, and its seal written again', async () => {
  const { add, path } = aFile();
  await add(await aSeal());
  const whole = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${whole.slice(0, 4).join('\n')}\n${whole[4]?.slice(0, 50)}`);
  await add(await aSeal());
  const after = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(after[4]).toBe(whole[4]?.slice(0, 50));
  expect(after[5]).toBe(whole[4]);
});

// Without it a full disk or a missing folder would stop the sealing.
test('a file that cannot be written is told, and brought up to date when it can', async () => {
  const folder = join(aFolder(), 'gone');
  const { add, lines, numbers } = aFile(join(folder, 'seals.jsonl'));
  await add(await aSeal());
  expect(lines.join('')).toContain('AUDIT_SEAL_FILE could not be written; the next seal tries again');
  mkdirSync(folder);
  const made = await aSeal();
  await add(made);
  expect(numbers().at(-1)).toBe(made.number);
  expect(numbers()[0]).toBe(1);
});

// Without it a service would go on sealing upon a past that was cut off.
test('seals that the database lacks are told', async () => {
  const { add, lines, path } = aFile();
  const made = await aSeal();
  await add(made);
  appendFileSync(path, `${JSON.stringify({ seal: made.number + 5, note: 'of a time that is gone' })}\n`);
  await add(await aSeal());
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('the database lacks a seal that AUDIT_SEAL_FILE has');
});
