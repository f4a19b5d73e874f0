import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The timeout in milliseconds for a process on this machine to answer. */
const ANSWER_MS = 3_000;

/**
 * The addresses of the services that run on this `DATA_DIR`, from the files that announce-address.ts of the api writes.
 * Each address answered a keyless call with the id in its file; a process of this machine must also be alive.
 */
export async function findRunning(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'running');
  const names = await readdir(folder).catch((): string[] => []);
  const urls = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => urlIn(join(folder, name))),
  );
  return urls.filter((url) => url !== undefined);
}

async function urlIn(path: string): Promise<string | undefined> {
  try {
    const { url, instance, host, pid } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof instance !== 'string') return undefined;
    if (host === hostname() && typeof pid === 'number' && !isAlive(pid)) return undefined;
    const res = await fetch(`${url}/livez`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await res.body?.cancel();
    return res.headers.get('instance') === instance ? url : undefined;
  } catch {
    return undefined; // the process is gone, or the file is not ours
  }
}

/** A killed process leaves its file, and any user may take its port and answer with its id, which is not secret. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code !== 'ESRCH'; // EPERM: another user's process
  }
}
