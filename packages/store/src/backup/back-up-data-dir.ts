import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  EmbeddedServerError,
  isServerOfCluster,
  readPostmasterFile,
} from '@insurance-verification/embedded-postgres';
import { startEmbeddedServer } from '../schema/embedded-server.ts';
import { BACKUP_ARCHIVE, copyKeys, type KeyName, keysIn } from './backup-folder.ts';
import { streamCluster } from './stream-cluster.ts';

export interface BackUpOptions {
  /** The service's `DATA_DIR`. */
  readonly dataDir: string;
  /** Created by the backup; must not exist or must be empty. */
  readonly folder: string;
  /** True: the keys come along, and a holder of the backup reads everything. */
  readonly withKeys?: boolean;
  /** Aborts the backup: stops the server it started, removes what it wrote, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The contents of a backup. */
export interface Backup {
  /** Size of the packed database. */
  readonly byteCount: number;
  /** The keys that it holds. */
  readonly keys: readonly KeyName[];
  /** The keys of the data directory that it does not hold. */
  readonly leftOut: readonly KeyName[];
}

/**
 * Copies the embedded database into a folder, complete and consistent, even while a service runs on it. If none runs, the
 * server is started for the duration. The folder appears once it is complete.
 *
 * | in the folder                     | what                                                 |
 * |-----------------------------------|------------------------------------------------------|
 * | `postgres/cluster.tar.gz`         | the database, patients' data encrypted               |
 * | `encryption-key`, `api-key`, …    | only when asked for: the keys of the data directory  |
 *
 * @throws EmbeddedServerError `backup_refused`, or any error of a server start
 */
export async function backUpDataDir({
  dataDir,
  folder,
  withKeys = false,
  signal,
}: BackUpOptions): Promise<Backup> {
  const serverFolder = path.resolve(dataDir, 'postgres');
  const clusterDir = path.join(serverFolder, 'cluster');
  const target = path.resolve(folder);
  if (!existsSync(clusterDir))
    refuse(`There is no database in ${path.resolve(dataDir)}. DATA_DIR says where the service keeps one.`);
  if (existsSync(target) && !(await isEmptyFolder(target)))
    refuse(`${target} is there and is no empty folder.`);

  await mkdir(path.dirname(target), { recursive: true });
  const unfinished = await mkdtemp(`${target}.unfinished-`);
  try {
    await mkdir(path.join(unfinished, 'postgres'), { mode: 0o700 });
    const archive = path.join(unfinished, BACKUP_ARCHIVE);
    await withRunningServer(dataDir, clusterDir, async (port) => {
      const password = readFileSync(path.join(serverFolder, 'password'), 'utf8').trim();
      signal?.throwIfAborted();
      const tar = await streamCluster({ port, password });
      // Encrypted bytes do not shrink; the lowest level compresses the rest at twice the default's speed.
      const file = createWriteStream(archive, { mode: 0o600, flush: true });
      await pipeline(tar, createGzip({ level: 1 }), file, { ...(signal && { signal }) });
    });
    signal?.throwIfAborted();
    const { present } = keysIn(dataDir);
    if (withKeys) await copyKeys(present, { from: dataDir, to: unfinished });
    await chmod(unfinished, 0o700);
    await rename(unfinished, target);
    return {
      byteCount: (await stat(path.join(target, BACKUP_ARCHIVE))).size,
      keys: withKeys ? present : [],
      leftOut: withKeys ? [] : present,
    };
  } catch (err) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 10 });
    throw err;
  }
}

async function withRunningServer(
  dataDir: string,
  clusterDir: string,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const found = readPostmasterFile(clusterDir);
  if (found?.isReady && isServerOfCluster(found.pid, clusterDir)) return work(found.port);
  const server = await startEmbeddedServer({ dataDir });
  try {
    await work(Number(new URL(server.connectionString).port));
  } finally {
    await server.stop();
  }
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => ['no folder']);
  return names.length === 0;
}

function refuse(why: string): never {
  throw new EmbeddedServerError('backup_refused', why);
}
