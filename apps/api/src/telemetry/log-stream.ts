import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Where the log goes. Lines are written in batches; lines that cannot be written are dropped and counted. */
export interface LogStream {
  write(line: string): void;
  /** Lines that could not be written. */
  readonly lostCount: number;
  /** Whether a write in the kernel is blocked on a reader. `process.exit` would block with it. */
  readonly isHeldUp: boolean;
  /** Writes the pending lines. Resolves when they are written or lost, or the time is up. */
  flush(deadlineMs: number): Promise<void>;
  /** The same, synchronously, for a process that ends on the spot. */
  flushNow(): void;
}

/** Characters per write: a system call per line cost 8 % of a request, one per 4 KB still 4 %. */
const WRITE_LENGTH = 12_288;

/** Bytes of the buffer that every write reuses; a character takes three at most. */
const ROOM_BYTES = 3 * 16_384;

/** Milliseconds a line waits for others before it is written anyway. */
const FLUSH_MS = 200;

/** Milliseconds until a slow reader is tried again: the first time, and at most. A pipe holds 64 KB. */
const RETRY_MS = { first: 2, most: 100 };

/** Maximum characters waiting for a slow reader; further lines are lost. */
const WAITING_LENGTH_MAX = 4_194_304;

/** Attempts of `flushNow`, 10 ms apart. */
const LAST_TRIES = 50;

/**
 * Writes to a descriptor, and survives a missing reader: closed pipe (EPIPE), lost terminal
 * (EIO), full disk. Each such write loses its lines, the next is tried again, and the service continues: its clients
 * matter more than the log's reader. SonicBoom, pino's own stream, retries such a write endlessly, even at exit.
 */
export function createLogStream(givenFd: number): LogStream {
  const ownFd = openUnwaiting(givenFd);
  const fd = ownFd ?? givenFd;
  let waiting: string[] = [];
  let waitingLength = 0;
  let lostCount = 0;
  /** The bytes under way, and their number of lines. */
  let underWay: { bytes: Buffer; readonly lineCount: number } | undefined;
  let isInKernel = false;
  let retryMs = RETRY_MS.first;
  const idle = new Set<() => void>();

  const room = Buffer.allocUnsafeSlow(ROOM_BYTES);

  const takeWaiting = () => {
    const taken = { text: waiting.join(''), lineCount: waiting.length };
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
      else if (waiting.length === 0) for (const resolve of idle) resolve();
    });
  };

  const begin = () => {
    if (underWay || waiting.length === 0) return;
    const { text, lineCount } = takeWaiting();
    underWay = { bytes: encode(text, room), lineCount };
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
      // The kernel may still write what it has, so writing it again would duplicate it; a write after it would block.
      if (isInKernel && ownFd === undefined) return;
      const begun = underWay && !isInKernel ? [underWay.bytes] : [];
      let rest = Buffer.concat([...begun, Buffer.from(takeWaiting().text)]);
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

/**
 * The text in UTF-8, in the given room where it fits. Node keeps the bytes of each write until V8 collects its old objects,
 * which new ones for each write made it do more often.
 */
function encode(text: string, room: Buffer): Buffer {
  return text.length * 3 > room.length ? Buffer.from(text) : room.subarray(0, room.write(text));
}

function isForLater(err: NodeJS.ErrnoException | null): boolean {
  return err?.code === 'EAGAIN' || err?.code === 'EBUSY';
}

/**
 * The pipe or terminal of a descriptor, reopened so that a write never blocks on its reader: a stopped reader
 * (`less`, Ctrl-S) would keep a thread in the kernel and the process from ending. Reopened, since other programs share
 * the given descriptor's mode. Undefined for files, which do not block, for sockets, which cannot be reopened, and
 * where the system does not support it.
 */
function openUnwaiting(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO() && !isatty(fd)) return undefined;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}
