import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireOwnerLock } from './owner-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'owner-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ownerLock = new URL('owner-lock.ts', import.meta.url).href;

/** Runs another program that tries to take the lock, reports the outcome, and waits to be killed. */
async function tryInAnotherProgram() {
  const source = `
    const { acquireOwnerLock } = await import(${JSON.stringify(ownerLock)});
    await acquireOwnerLock(${JSON.stringify(folder)}).then(() => console.log('acquired'), (error) => console.log(error.code + ' ' + error.ownerPid));
    setInterval(() => {}, 60000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  const kill = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return { said, pid: child.pid, kill };
}

// Without it two programs would work on one cluster.
test('a living owner is named by its pid, in this program and in others', async () => {
  const lock = await acquireOwnerLock(folder);
  await expect(acquireOwnerLock(folder)).rejects.toMatchObject({
    code: 'already_owned',
    ownerPid: process.pid,
  });
  // The refused attempt in this process must not have released the lock.
  const other = await tryInAnotherProgram();
  expect(other.said).toBe(`already_owned ${process.pid}`);
  await other.kill();
  lock.release();
});

// Without it a crash would lock the owner out until a person removes a file.
test('the lock of a killed owner is free at once, whoever has its pid now', async () => {
  const first = await tryInAnotherProgram();
  expect(first.said).toBe('acquired');
  await first.kill();
  // As if this living process had reused the dead owner's id.
  writeFileSync(path.join(folder, 'owner.pid'), `${process.pid}\n`);
  const second = await tryInAnotherProgram();
  expect(second.said).toBe('acquired');
  await expect(acquireOwnerLock(folder)).rejects.toMatchObject({ ownerPid: second.pid });
  await second.kill();
});

// Without it a simultaneous start could end with two owners, or with none.
test('of ten programs at the same moment one gets the lock and the others its pid', async () => {
  const programs = await Promise.all(Array.from({ length: 10 }, tryInAnotherProgram));
  const winners = programs.filter((program) => program.said === 'acquired');
  expect(winners).toHaveLength(1);
  for (const program of programs) {
    if (program !== winners[0]) expect(program.said).toBe(`already_owned ${winners[0]?.pid}`);
    await program.kill();
  }
});

test('release gives the lock free, and may be called again after another owner has it', async () => {
  const lock = await acquireOwnerLock(folder);
  lock.release();
  const next = await acquireOwnerLock(folder);
  lock.release();
  await expect(acquireOwnerLock(folder)).rejects.toMatchObject({ code: 'already_owned' });
  next.release();
});
