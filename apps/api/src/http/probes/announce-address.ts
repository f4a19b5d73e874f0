import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../telemetry/log.ts';

/**
 * Names this process: `/livez` answers it, and the file beside the address has it. Who reads an address there asks
 * `/livez` first: another program may listen at that port by now. It is no secret, and no proof against one that means
 * harm: whoever could reach the port may have read it.
 */
export const INSTANCE = randomUUID();

/** Where processes that share a `DATA_DIR` say where they listen: a file for each. */
const FOLDER = 'running';

interface Announcement {
  readonly url: string;
  readonly instance: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * Writes down where this process listens, for `iv` on this machine. A `DATA_DIR` that cannot be written is no fault: a
 * service with a database of its own needs none.
 * @returns takes it back.
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
    // One by one: with `recursive` it never returns for a folder in /proc.
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

/** What listens on every address listens on this machine's own. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** A process that was killed leaves its file. Those of other machines that share the folder are left alone. */
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
