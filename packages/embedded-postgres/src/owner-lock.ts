import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { isAlive } from './server-process.ts';

/** Held from the start of the embedded server until its `stop()`, or until the program dies. */
interface OwnerLock {
  release(): void;
}

/**
 * A lock that only a living program can hold.
 *
 * It is SQLite's exclusive lock on an empty database file: a kernel lock that disappears with the process however that
 * ends, is granted to one of several simultaneous requests, and is visible to other containers that mount the same
 * volume. Node has no flock. The usual file with a process id has to judge whether that id is dead, alive or reused,
 * cannot replace a stale file without a race, and fails across containers; `owner.pid` next to the lock only serves the
 * error message.
 *
 * @throws EmbeddedServerError `already_owned`, `data_dir_unusable`
 */
export async function acquireOwnerLock(folder: string): Promise<OwnerLock> {
  const pidFile = path.join(folder, 'owner.pid');
  const database = lockExclusively(path.join(folder, 'owner.lock'), folder);
  if (database === null) {
    const ownerPid = await readOwnerPid(pidFile);
    throw new EmbeddedServerError(
      'already_owned',
      `Another program${ownerPid === null ? '' : ` (pid ${ownerPid})`} is running on the data directory ${path.dirname(folder)}. Stop it, or give this one a DATA_DIR of its own.`,
      { ownerPid },
    );
  }
  held.add(database);
  // Removed first: root may have left a file that its owner cannot overwrite.
  rmSync(pidFile, { force: true });
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      if (!held.delete(database)) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

/** Keeps the handles referenced: the garbage collector would close an unreferenced one and release its lock. */
const held = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;

/**
 * Milliseconds. SQLite locks in two steps: of two at the same moment each would find the first step of the other and give
 * up, and neither have the lock. With a wait the one that comes to the second step first gets it.
 */
const RIVAL_WAIT_MS = 250;

function lockExclusively(file: string, folder: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: RIVAL_WAIT_MS });
    database.exec('begin exclusive');
    return database;
  } catch (err) {
    database?.close();
    if (err instanceof Error && 'errcode' in err && err.errcode === SQLITE_BUSY) return null;
    throw new EmbeddedServerError(
      'data_dir_unusable',
      `The data directory ${folder} cannot be locked: ${err instanceof Error ? err.message : String(err)}. It must be writable, on a file system with file locks.`,
      { cause: err },
    );
  }
}

/**
 * The winner of a simultaneous start writes its id just after taking the lock; until then the file is old or absent.
 */
async function readOwnerPid(pidFile: string): Promise<number | null> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const pid = readPid(pidFile);
    if (pid !== null && isAlive(pid)) return pid;
    // Never seen alive: the owner may be in another container, whose process ids mean nothing here.
    if (Date.now() > deadline) return pid;
    await delay(10);
  }
}

function readPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
