import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The timeout in milliseconds for a process on this machine to answer. */
const ANSWER_MS = 3_000;

/** What announce-address.ts of the api writes into `DATA_DIR/running`. */
interface Announcement {
  readonly url: string;
  readonly instance: string;
}

/**
 * The addresses of the services that run on this `DATA_DIR`. Each answered a keyless call with the id in its file; a
 * process of this machine must also be alive.
 */
export async function findRunning(dataDir: string): Promise<string[]> {
  const urls = await Promise.all(
    (await announcementsIn(dataDir)).map(async ({ url, instance }) =>
      (await instanceAt(url)) === instance ? url : undefined,
    ),
  );
  return urls.filter((url) => url !== undefined);
}

/**
 * Whether the service at a URL runs on this `DATA_DIR`: its keys belong to no other. Asked at the URL itself, since
 * `localhost` and `127.0.0.1` may be two programs.
 */
export async function runsAt(dataDir: string, url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname: host, port } = new URL(url);
  if (protocol !== 'http:' || !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)) return false;
  const announced = (await announcementsIn(dataDir)).filter((one) => new URL(one.url).port === port);
  if (announced.length === 0) return false;
  const instance = await instanceAt(url);
  return announced.some((one) => one.instance === instance);
}

/** Without those that killed processes left. */
async function announcementsIn(dataDir: string): Promise<Announcement[]> {
  const folder = join(dataDir, 'running');
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  const read = await Promise.all(files.map((name) => announcementIn(join(folder, name))));
  return read.filter((one) => one !== undefined);
}

async function announcementIn(path: string): Promise<Announcement | undefined> {
  try {
    const { url, instance, host, pid } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    if (typeof url !== 'string' || !URL.canParse(url) || typeof instance !== 'string') return undefined;
    return host === hostname() && typeof pid === 'number' && !isAlive(pid) ? undefined : { url, instance };
  } catch {
    return undefined; // half written, or not ours
  }
}

async function instanceAt(url: string): Promise<string | undefined> {
  try {
    const livez = `${url.replace(/\/+$/, '')}/livez`;
    const res = await fetch(livez, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await res.body?.cancel();
    return res.headers.get('instance') ?? undefined;
  } catch {
    return undefined;
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
