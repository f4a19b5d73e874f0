import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { BATCH_BYTES_MAX } from '@insurance-verification/schema';
import { ProblemError } from '../procedure/problem.ts';
import { askForBody } from './read-body.ts';

/**
 * Called while a file comes: after each part of it, and each second in which none came. What it throws ends the upload.
 */
export type UploadWatch = (upload: { readonly hasNewBytes: boolean }) => Promise<void>;

/** The time that a body may take, of every call. */
interface BodyTime {
  readonly start: () => void;
  readonly stop: () => void;
}

const bodyTimes = new WeakMap<IncomingMessage, BodyTime>();

/** Notes the time of a call's body, which an upload suspends: it keeps one of its own. */
export const noteBodyTime = (req: IncomingMessage, time: BodyTime): void => void bodyTimes.set(req, time);

/** Milliseconds of waiting for bytes between two calls of the watch. */
const WATCH_MS = 1_000;

/** Bytes that have to come in so many milliseconds of waiting for them. A modem sends 100 KB in that time. */
const RATE = { bytes: 4_096, ms: 30_000 };

/** Milliseconds of waiting for bytes that a whole file may take: 64 MiB come over 150 kbit/s in that time. */
const WAITING_MS_MAX = 3_600_000;

/** The error of a file that is larger than a batch may be. */
export const fileTooLarge = (): ProblemError =>
  new ProblemError('payload_too_large', {
    detail: 'The file has more than 100,000 rows or 64 MiB, the most that a batch takes.',
    headers: { connection: 'close' },
  });

/**
 * Reads a file as it comes, each part in its own turn of the event loop, so that other calls are answered in between. Only
 * the time in which it waits for bytes counts as the sender's: while rows are stored, the next bytes wait in the socket.
 * An upload that ends early leaves the connection open: the answer goes out on it.
 * @throws {ProblemError} `payload_too_large`, `request_timeout` for a slow sender, `bad_request` when the client
 * disconnects; and what the watch throws.
 */
export async function* readUpload(req: IncomingMessage, watch: UploadWatch): AsyncGenerator<Buffer> {
  askForBody(req);
  const time = bodyTimes.get(req);
  time?.stop();
  const parts = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const clock = new SenderClock();
  let byteCount = 0;
  try {
    for (;;) {
      const part = await nextPart(parts, clock, watch);
      if (part === null) break;
      byteCount += part.length;
      if (byteCount > BATCH_BYTES_MAX) throw fileTooLarge();
      await watch({ hasNewBytes: true });
      yield part;
      await setImmediate();
    }
    if (!req.complete) throw cutOff();
  } finally {
    if (!req.complete && !req.destroyed) time?.start(); // for its rest, which is dropped
  }
}

const cutOff = (cause?: unknown) =>
  new ProblemError('bad_request', { headers: { connection: 'close' }, cause });

/** Null after the last. */
async function nextPart(
  parts: AsyncIterator<Buffer, undefined>,
  clock: SenderClock,
  watch: UploadWatch,
): Promise<Buffer | null> {
  const coming = parts.next().then(
    (result) => ({ result }),
    (err: unknown) => ({ err }),
  );
  for (;;) {
    const since = performance.now();
    const come = await orTimeOut(coming, WATCH_MS);
    clock.add(performance.now() - since, come && 'result' in come ? (come.result.value?.length ?? 0) : 0);
    if (come === null) await watch({ hasNewBytes: false });
    else if ('err' in come) throw cutOff(come.err);
    else return come.result.value ?? null;
  }
}

async function orTimeOut<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeOut = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  try {
    return await Promise.race([promise, timeOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** The time for which a sender made the service wait, and what came in it. */
export class SenderClock {
  #waitedMs = 0;
  #window = { ms: 0, bytes: 0 };

  /** @throws {ProblemError} `request_timeout` for a sender that is too slow. */
  add(ms: number, byteCount: number): void {
    this.#waitedMs += ms;
    this.#window.ms += ms;
    this.#window.bytes += byteCount;
    const isSlow = this.#window.ms >= RATE.ms && this.#window.bytes < RATE.bytes;
    if (isSlow || this.#waitedMs >= WAITING_MS_MAX)
      throw new ProblemError('request_timeout', { headers: { connection: 'close' } });
    if (this.#window.ms >= RATE.ms) this.#window = { ms: 0, bytes: 0 };
  }
}
