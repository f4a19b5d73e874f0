import cluster from 'node:cluster';
import type { Readable } from 'node:stream';
import { passOnConnections } from './pass-on-connections.ts';
import type { FromWorker, Seat, Serving, ToWorker } from './worker-messages.ts';

/** A process that has, or had, a seat. */
export interface HiredWorker {
  readonly number: number;
  readonly pid: number;
  /** Resolves when it can be called. Rejects when it ends before, with its own words if it had any. */
  readonly whenServing: Promise<Serving>;
  /** What ended it, such as `SIGKILL` or `exit 1`. */
  readonly whenEnded: Promise<string>;
  /** It can be called, has not ended, and was not told to. */
  readonly isServing: () => boolean;
  readonly tell: (message: ToWorker) => void;
  /** Lets it end: at once, or after what may still come over open connections. */
  readonly end: (how: 'SIGTERM' | 'retire') => void;
  readonly kill: () => void;
}

export interface Hiring {
  readonly seat: Seat;
  /** Gets each line of its log. */
  readonly relay: (line: string) => void;
  readonly onMessage: (from: HiredWorker, message: FromWorker) => void;
}

/** Starts a worker: this program again, on the supervisor's ports. */
export function hireWorker({ seat, relay, onMessage }: Hiring): HiredWorker {
  // One writer for the log: the lines of several would mix where a reader is slow.
  cluster.setupPrimary({ silent: true, serialization: 'advanced', args: [`worker-${seat.number}`] });
  const worker = cluster.fork();
  passOnConnections(worker);
  const { promise: whenServing, resolve: serve, reject: fail } = Promise.withResolvers<Serving>();
  const { promise: whenEnded, resolve: leave } = Promise.withResolvers<string>();
  whenServing.catch(() => undefined); // whoever waits for it reports it
  let state: 'starting' | 'serving' | 'ending' = 'starting';
  let words: string | undefined;
  let shownWords = '';

  const { stdout, stderr } = worker.process;
  if (stdout) relayLines(stdout, relay);
  stderr?.on('data', (chunk: Buffer) => {
    shownWords = `${shownWords}${chunk.toString()}`.slice(-SHOWN_LENGTH_MAX);
    process.stderr.write(chunk);
  });

  const hired: HiredWorker = {
    number: seat.number,
    pid: worker.process.pid ?? 0,
    whenServing,
    whenEnded,
    isServing: () => state === 'serving' && worker.isConnected(),
    tell: (message) => {
      if (worker.isConnected()) worker.send(message, () => undefined); // its end is told by its exit
    },
    end: (how) => {
      state = 'ending';
      if (how === 'retire') hired.tell({ kind: 'retire' });
      else worker.process.kill('SIGTERM');
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'failed') words = message.words;
    if (message.kind === 'serving') {
      if (state === 'starting') state = 'serving';
      serve(message);
    }
    onMessage(hired, message);
  });
  worker.on('error', () => undefined); // a message to a worker that has just ended
  // `close` comes when its last words are read.
  worker.process.once('close', (code, signal) => {
    const ended = signal ?? `exit ${code}`;
    state = 'ending';
    fail(new Error(words ?? `it ended with ${ended}${lastLineOf(shownWords)}`));
    leave(ended);
  });
  hired.tell({ kind: 'begin', seat });
  return hired;
}

/** Characters kept of a worker's stderr: the end of what V8 or an uncaught error leaves there. */
const SHOWN_LENGTH_MAX = 4_096;

function lastLineOf(shown: string): string {
  const line = shown.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}

/** A line that a killed worker did not end is lost. */
function relayLines(stream: Readable, relay: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) relay(`${line}\n`);
  });
}
