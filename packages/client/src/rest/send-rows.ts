import { UnusableInputError } from '../errors.ts';
import type { Connection } from '../open-connection.ts';
import { type Call, isObject } from './call.ts';
import { exchange, readAnswer } from './send-call.ts';
import { type Silence, startSilence } from './silence.ts';

/** The rows of a batch: objects that become lines of JSON, or the text or bytes of a file, whole or in parts. */
export type Rows = Iterable<unknown> | AsyncIterable<unknown> | string | Uint8Array;

/** The format of a file of rows. */
export type RowsFormat = 'csv' | 'ndjson';

/** Bytes that rows are gathered to before they are sent: a slow source must not look silent to the service. */
const PIECE_BYTES = 16 * 1024;

/**
 * Streams rows as the body of a call, none before the service took those before it, and returns the answer's JSON. It is
 * sent once: rows that were read cannot be read again. The first rows are read before the call is made.
 * @param format of a file, whose bytes `rows` are; undefined where they are objects.
 * @throws UnusableInputError for what is no such rows. InsuranceVerificationError, what reading `rows` threw, or the abort reason of the caller's signal.
 */
export async function sendRows(
  connection: Connection,
  call: Call,
  rows: Rows,
  format: RowsFormat | undefined,
): Promise<unknown> {
  const pieces = format === undefined ? linesOf(call, rows) : partsOf(call, rows);
  const first = await orAborted(pieces.next(), call.signal);
  const silence = startSilence(connection.timeoutMs);
  const source = openSource(first, pieces, silence);
  try {
    const { res, text } = await exchange(connection, call, silence.signal, async (signal) => {
      const headers = headersOf(call, format);
      // `duplex`, which TypeScript's RequestInit lacks, is what makes a stream a body.
      const init = { method: call.method, headers, signal, body: source.body, duplex: 'half' };
      const answered = await connection.fetch(connection.url + call.target, init as RequestInit);
      return { res: answered, text: await answered.text() };
    });
    return readAnswer(connection, call, res, text);
  } catch (err) {
    throw source.failure ? source.failure.err : err;
  } finally {
    silence.close();
    source.close();
    void pieces.return(); // not awaited: a source that is slow or stuck would hold up the answer
  }
}

function orAborted<T>(coming: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return coming;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    coming.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

interface Source {
  readonly body: ReadableStream<Uint8Array>;
  /** What reading the rows threw. */
  readonly failure: { readonly err: unknown } | undefined;
  /** Ends the stream: Node's `fetch` reads on after an abort, and after an answer that did not wait for the last row. */
  close(): void;
}

type Pieces = AsyncGenerator<Uint8Array, void, void>;

function openSource(first: IteratorResult<Uint8Array, void>, pieces: Pieces, silence: Silence): Source {
  let failure: Source['failure'];
  let next: Promise<IteratorResult<Uint8Array, void>> | undefined = Promise.resolve(first);
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    async pull() {
      silence.pause();
      try {
        const { value, done } = await (next ?? pieces.next());
        next = undefined;
        if (silence.signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (err) {
        failure = { err };
        throw err;
      } finally {
        if (!silence.signal.aborted) silence.restart();
      }
    },
  });
  return {
    body,
    get failure() {
      return failure;
    },
    close: () => controller.error(new Error('the call is over')),
  };
}

const headersOf = ({ headers }: Call, format: RowsFormat | undefined) => ({
  accept: 'application/json',
  'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson',
  ...headers,
});

/** The parts of a file as bytes. */
async function* partsOf(call: Call, file: Rows): Pieces {
  const encoder = new TextEncoder();
  for await (const part of isWhole(file) ? [file] : iterableOf(call, file)) {
    if (typeof part === 'string') yield encoder.encode(part);
    else if (part instanceof Uint8Array) yield part;
    else throw new UnusableInputError('a part of the file is neither text nor bytes', call);
  }
}

/** Rows as lines of JSON, some at a time. */
async function* linesOf(call: Call, rows: Rows): Pieces {
  if (isWhole(rows))
    throw new UnusableInputError("rows are objects; for a file pass format: 'csv' or 'ndjson'", call);
  const encoder = new TextEncoder();
  let lines = '';
  let number = 0;
  for await (const row of iterableOf(call, rows)) {
    number += 1;
    lines += `${lineOf(call, row, number)}\n`;
    if (lines.length < PIECE_BYTES) continue;
    yield encoder.encode(lines);
    lines = '';
  }
  if (lines !== '') yield encoder.encode(lines);
}

const isWhole = (rows: Rows): rows is string | Uint8Array =>
  typeof rows === 'string' || rows instanceof Uint8Array;

function iterableOf(call: Call, rows: unknown): Iterable<unknown> | AsyncIterable<unknown> {
  const isIterable =
    typeof rows === 'object' && rows !== null && (Symbol.asyncIterator in rows || Symbol.iterator in rows);
  if (!isIterable) throw new UnusableInputError('rows are neither an iterable nor an async iterable', call);
  return rows as Iterable<unknown>;
}

function lineOf(call: Call, row: unknown, number: number): string {
  if (!isObject(row)) throw new UnusableInputError(`row ${number} is not an object`, call);
  try {
    return JSON.stringify(row);
  } catch {
    throw new UnusableInputError(`row ${number} cannot be written as JSON`, call);
  }
}
