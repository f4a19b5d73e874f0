import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Where the log goes: lines are written together, and what cannot be written is dropped and counted. */
export interface LogStream {
  write(line: string): void;
  /** Lines that nobody could be given. */
  readonly lostCount: number;
  /** Whether a write has the kernel waiting for a reader. `process.exit` would wait with it. */
  readonly isHeldUp: boolean;
  /** Writes what waits. Resolves when it is written or lost, or the time is up. */
  flush(deadlineMs: number): Promise<void>;
  /** The same at once, for a process that ends where it stands. */
  flushNow(): void;
}

/** Characters that make a write: a system call a line cost 8 % of a request, one for 4 KB still 4 %. */
const WRITE_LENGTH = 12_288;

/** Milliseconds after which a line that waits for company is written all the same. */
const FLUSH_MS = 200;

/** Milliseconds until a reader that is slow is tried again: the first time, and at most. A pipe holds 64 KB. */
const RETRY_MS = { first: 2, most: 100 };

/** Characters that wait for a slow reader at most; what is logged beyond them is lost. */
const WAITING_LENGTH_MAX = 4_194_304;

/** Tries of `flushNow`, 10 ms apart. */
const LAST_TRIES = 50;

/**
 * Writes to a descriptor for as long as somebody reads it, and does no harm when nobody does: its pipe is closed (EPIPE),
 * its terminal gone (EIO), its disk full. Each such write loses its lines, the next is tried again, and the service goes
 * on: who reads the log is not who is served. SonicBoom, pino's own, tries such a write for ever, in the exit too.
 */
export function createLogStream(givenFd: number): LogStream {
  const ownFd = openUnwaiting(givenFd);
  const fd = ownFd ?? givenFd;
  let waiting: string[] = [];
  let waitingLength = 0;
  let lostCount = 0;
  /** What is being written, and of how many lines. */
  let underWay: { bytes: Buffer; readonly lineCount: number } | undefined;
  let isInKernel = false;
  let retryMs = RETRY_MS.first;
  const idle = new Set<() => void>();

  const takeWaiting = () => {
    const taken = { bytes: Buffer.from(waiting.join('')), lineCount: waiting.length };
    waiting = [];
    waitingLength = 0;
    return taken;
  };

  const writeOn = () => {
    if (!underWay) return;
    isInKernel = true;
    write(fd, underWay.bytes, (err, count) => {
      isInKernel = false;
      if (!underWay) return;
      if (isForLater(err)) {
        setTimeout(writeOn, retryMs).unref();
        retryMs = Math.min(retryMs * 2, RETRY_MS.most);
        return;
      }
      retryMs = RETRY_MS.first;
      underWay.bytes = underWay.bytes.subarray(count);
      if (!err && underWay.bytes.length > 0) return writeOn();
      if (err) lostCount += underWay.lineCount;
      underWay = undefined;
      if (waitingLength >= WRITE_LENGTH) begin();
      else if (waiting.length === 0) for (const tell of idle) tell();
    });
  };

  const begin = () => {
    if (underWay || waiting.length === 0) return;
    underWay = takeWaiting();
    writeOn();
  };

  setInterval(begin, FLUSH_MS).unref();

  return {
    write: (line) => {
      if (waitingLength > WAITING_LENGTH_MAX) {
        lostCount += 1;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      if (waitingLength >= WRITE_LENGTH) begin();
    },
    get lostCount() {
      return lostCount;
    },
    get isHeldUp() {
      return isInKernel && ownFd === undefined;
    },
    flush: (deadlineMs) =>
      new Promise((resolve) => {
        begin();
        if (!underWay) return resolve();
        const done = () => {
          idle.delete(done);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(done, deadlineMs);
        idle.add(done);
      }),
    flushNow: () => {
      // What the kernel has it may still write, so it is not written twice; and behind it this one would wait too.
      if (isInKernel && ownFd === undefined) return;
      let rest = Buffer.concat([...(underWay && !isInKernel ? [underWay.bytes] : []), takeWaiting().bytes]);
      underWay = undefined;
      for (let tries = 0; rest.length > 0 && tries < LAST_TRIES;) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (err) {
          if (!isForLater(err as NodeJS.ErrnoException)) return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        }
      }
    },
  };
}

function isForLater(err: NodeJS.ErrnoException | null): boolean {
  return err?.code === 'EAGAIN' || err?.code === 'EBUSY';
}

/**
 * The pipe or terminal behind a descriptor, opened again so that a write to it never waits for its reader: one that has
 * stopped reading (`less`, Ctrl-S) would keep a thread in the kernel, and the process from ending. Opened again, since
 * the mode of the given one is shared with other programs. Undefined for files, which do not wait, for sockets, which
 * cannot be opened, and where the system does not offer it.
 */
function openUnwaiting(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO() && !isatty(fd)) return undefined;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}
