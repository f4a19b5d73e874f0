import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnServer } from '@insurance-verification/store/testing/own-server';
import { aFolder } from '@insurance-verification/testing/a-folder';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** A database whose files are on a disk that can be filled. */
export interface SmallDisk {
  readonly connectionString: string;
  readonly fill: () => Promise<void>;
  readonly free: () => Promise<void>;
}

const DISK_MB = 96;

/**
 * A database of a server on a small file system, while the server's log is elsewhere. Where this user may mount none, a
 * server that refuses each row of a request and of the probe with the error of a full disk takes its place.
 */
export async function aSmallDisk(server: OwnServer): Promise<SmallDisk> {
  const disk = aFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', disk]);
  if (mounted.status !== 0) return aRefusingServer(server);
  // After the server's end, which holds its files open: hooks run in reverse order, so the unmount is a lazy one.
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  const folder = join(disk, 'tablespace');
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  const { uid, gid } = statSync(server.clusterDir);
  chownSync(folder, uid, gid);
  const url = new URL(server.connectionString);
  const owner = decodeURIComponent(url.username);
  await server.admin(`create tablespace small location '${folder}'`);
  await server.admin(`create database on_small_disk tablespace small owner ${pg.escapeIdentifier(owner)}`);
  url.pathname = '/on_small_disk';
  const filler = join(disk, 'filler');
  return { connectionString: url.href, fill: async () => fill(filler), free: async () => rmSync(filler) };
}

/** Writes until the file system is full. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  try {
    for (const size of [65_536, 4_096]) writeUntilFull(fd, Buffer.alloc(size));
  } finally {
    closeSync(fd);
  }
}

function writeUntilFull(fd: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(fd, chunk);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err;
  }
}

function aRefusingServer({ connectionString, admin }: OwnServer): SmallDisk {
  return {
    connectionString,
    fill: async () => {
      await admin(`create or replace function disk_is_full() returns trigger language plpgsql
        as $$ begin raise sqlstate '53100'; end $$`);
      for (const table of ['request', 'page_probe'])
        await admin(`create trigger full_disk before insert on ${table} execute function disk_is_full()`);
    },
    free: async () => {
      for (const table of ['request', 'page_probe']) await admin(`drop trigger full_disk on ${table}`);
    },
  };
}
