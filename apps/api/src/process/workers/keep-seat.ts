import type { Log } from '../../telemetry/log.ts';
import type { HiredWorker } from './hire-worker.ts';
import type { Serving } from './worker-messages.ts';

/** A seat that is never empty for long. */
export interface KeptSeat {
  /** The process that has it now. */
  readonly worker: () => HiredWorker;
  /** Unexpected ends so far. */
  readonly endCount: () => number;
  /** Starts another process, and ends the present one once that serves. @throws with the other's words if it fails. */
  readonly replace: () => Promise<void>;
  /** Resolves when no process is left. */
  readonly stop: () => Promise<void>;
}

export interface SeatKeeping {
  readonly hire: () => HiredWorker;
  /** Called when a process that served has ended unasked. */
  readonly onDied: (was: Serving) => void;
  /** Called when the seat could not be filled; `failureCount` times in a row so far. */
  readonly onFailed: (words: string, failureCount: number) => void;
  readonly log: Log;
}

/** Milliseconds until a worker that failed is started again; doubled with each failure. */
const PAUSE_MS = { min: 1_000, max: 30_000 };

/** A worker that served for this long had no fault of its start: another starts at once. */
const SOUND_MS = 10_000;

/** Milliseconds a worker may take to end; it ends itself by then. */
const END_MS = 30_000;

/** Keeps a process in a seat: when one dies, another starts. */
export function keepSeat({ hire, onDied, onFailed, log }: SeatKeeping): KeptSeat {
  const stopping = new AbortController();
  let current = hire();
  /** The one that is to take over. */
  let next: HiredWorker | undefined;
  let endCount = 0;
  let failureCount = 0;

  const begin = () => {
    const worker = hire();
    if (stopping.signal.aborted) worker.end('SIGTERM');
    return worker;
  };

  const keep = async () => {
    while (!stopping.signal.aborted) {
      const watched = current;
      const startedAt = performance.now();
      const serving = await watched.whenServing.catch((err: Error) => err);
      if (!(serving instanceof Error) && endCount > 0 && watched === current)
        log.info({ worker: watched.number, pid: watched.pid }, 'the worker serves again');
      const ended = await watched.whenEnded;
      if (stopping.signal.aborted) return;
      if (watched !== current) continue; // it was replaced
      endCount += 1;
      if (serving instanceof Error) onFailed(serving.message, (failureCount += 1));
      else {
        log.error({ worker: watched.number, pid: watched.pid, ended }, 'a worker died; another starts');
        failureCount = performance.now() - startedAt < SOUND_MS ? 1 : 0;
        onDied(serving);
      }
      if (failureCount > 0)
        await pause(Math.min(PAUSE_MS.min * 2 ** (failureCount - 1), PAUSE_MS.max), stopping.signal);
      if (!stopping.signal.aborted && watched === current) current = begin();
    }
  };
  const keeping = keep();

  const endOf = async (worker: HiredWorker, how: 'SIGTERM' | 'retire') => {
    worker.end(how);
    const timer = setTimeout(worker.kill, END_MS);
    await worker.whenEnded;
    clearTimeout(timer);
  };

  return {
    worker: () => current,
    endCount: () => endCount,
    replace: async () => {
      next = begin();
      try {
        await next.whenServing;
        const old = current;
        current = next;
        failureCount = 0;
        await endOf(old, 'retire');
        log.info({ worker: current.number, pid: current.pid }, 'worker replaced');
      } finally {
        next = undefined;
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([current, ...(next ? [next] : [])].map((worker) => endOf(worker, 'SIGTERM')));
      await keeping;
    },
  };
}

/** Ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves when all serve for the first time. @throws with the words of one that does not. */
export async function allServing(seats: readonly KeptSeat[]): Promise<Serving> {
  const [first] = await Promise.all(
    seats.map(async (seat) => {
      const { number, whenServing } = seat.worker();
      try {
        return await whenServing;
      } catch (err) {
        throw Object.assign(err as Error, { worker: number });
      }
    }),
  );
  if (!first) throw new Error('A supervisor has a worker at least.');
  return first;
}
