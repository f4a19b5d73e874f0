import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { announceAddress, INSTANCE } from './announce-address.ts';

const log = createLog('silent', process.stderr);

function aDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'iv-announce-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const running = (dataDir: string) => readdirSync(join(dataDir, 'running'));

// Breaks if `iv` is sent to an address that no program listens on.
test('the address is there while the process serves, and gone after', () => {
  const dataDir = aDataDir();
  const withdraw = announceAddress(dataDir, 'http://0.0.0.0:4711', log);
  const [name = ''] = running(dataDir);
  expect(JSON.parse(readFileSync(join(dataDir, 'running', name), 'utf8'))).toEqual({
    url: 'http://127.0.0.1:4711',
    instance: INSTANCE,
    pid: process.pid,
    host: hostname(),
  });
  // Breaks if another user reads the id off the file, and answers with it at the port of a killed process.
  expect(statSync(join(dataDir, 'running', name)).mode & 0o777).toBe(0o600);
  withdraw();
  expect(running(dataDir)).toEqual([]);
});

// Breaks if the folder fills up with processes that were killed, or forgets those of another machine.
test('what a killed process left goes; what another machine wrote stays', () => {
  const dataDir = aDataDir();
  mkdirSync(join(dataDir, 'running'));
  const leave = (name: string, host: string) =>
    writeFileSync(join(dataDir, 'running', name), JSON.stringify({ pid: 2 ** 22 + 1, host }));
  leave('dead.json', hostname());
  leave('elsewhere.json', 'another-machine');
  announceAddress(dataDir, 'http://[::]:4711', log)();
  expect(running(dataDir)).toEqual(['elsewhere.json']);
});

test('a data folder that cannot be written is no fault', () => {
  const file = join(aDataDir(), 'a-file');
  writeFileSync(file, '');
  expect(() => announceAddress(file, 'http://127.0.0.1:4711', log)()).not.toThrow();
  expect(existsSync(join(file, 'running'))).toBe(false);
});
