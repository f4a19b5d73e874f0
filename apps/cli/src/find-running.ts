import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds within which a process on this machine must say that it is there. */
const ANSWER_MS = 3_000;

/**
 * The addresses of the services that run with this `DATA_DIR`, as they wrote them down: announce-address.ts of the api.
 * Each was asked, without a key, whether it is the process that wrote it.
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
    const { url, instance } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof instance !== 'string') return undefined;
    const res = await fetch(`${url}/livez`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await res.body?.cancel();
    return res.headers.get('instance') === instance ? url : undefined;
  } catch {
    return undefined; // of a process that is gone, or is not ours
  }
}
