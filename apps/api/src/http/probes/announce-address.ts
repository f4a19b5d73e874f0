import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../telemetry/log.ts';

/**
 * Identifies this process: `/livez` answers with it, and the file with the address
 * contains it. Readers of the file ask `/livez` first: another program may listen on that port by now. It is not a
 * secret and proves nothing against an attacker: any client of the port may have read it.
 */
export const INSTANCE = randomUUID();

/** Holds one file per process that shares the `DATA_DIR`: where it listens. */
const FOLDER = 'running';

interface Announcement {
  readonly url: string;
  readonly instance: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * Writes down where this process listens, for `iv` on this machine. An unwritable `DATA_DIR` is no fault: a service
 * with `DATABASE_URL` needs none.
 * @returns a function that removes the file.
 */
export function announceAddress(dataDir: string, url: string, log: Log): () => void {
  const folder = join(dataDir, FOLDER);
  const path = join(folder, `${INSTANCE}.json`);
  const announcement: Announcement = {
    url: reachable(url),
    instance: INSTANCE,
    pid: process.pid,
    host: hostname(),
  };
  try {
    // One by one: with `recursive`, `mkdir` never returns for a folder in /proc.
    for (const missing of [dataDir, folder]) if (!existsSync(missing)) mkdirSync(missing);
    removeOfTheDead(folder);
    writeFileSync(path, `${JSON.stringify(announcement)}\n`, { mode: 0o600 });
  } catch (err) {
    log.debug({ err }, 'the address is not written down');
  }
  return () => {
    try {
      rmSync(path, { force: true });
    } catch (err) {
      log.debug({ err }, 'the address stays written down');
    }
  };
}

/** A server that listens on every address is reachable on loopback. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Removes the files that killed processes left. Keeps those of other machines that share the folder. */
function removeOfTheDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.json') && isOfTheDead(path)) rmSync(path, { force: true });
  }
}

function isOfTheDead(path: string): boolean {
  try {
    const { host, pid } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Announcement>;
    if (host !== hostname() || typeof pid !== 'number') return false;
    process.kill(pid, 0);
    return false;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
