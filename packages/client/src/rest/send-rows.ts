import type { Connection } from '../open-connection.ts';
import type { Call } from './call.ts';
import { exchange, readAnswer } from './send-call.ts';
import { type Silence, startSilence } from './silence.ts';

/** The rows of a batch: objects that become lines of JSON, or the bytes of a file. */
export type Rows = Iterable<unknown> | AsyncIterable<unknown>;

/** The format of a file of rows. */
export type RowsFormat = 'csv' | 'ndjson';

/** Bytes that rows are gathered to before they are sent: a slow source must not look silent to the service. */
const PIECE_BYTES = 16 * 1024;

/**
 * Streams rows as the body of a call, none before the service took those before it, and returns the answer's JSON. It is
 * sent once: rows that were read cannot be read again.
 * @param format of a file, whose bytes `rows` are; undefined where they are objects.
 * @throws InsuranceVerificationError, what reading `rows` threw, or the abort reason of the caller's signal.
 */
export async function sendRows(
  connection: Connection,
  call: Call,
  rows: Rows,
  format: RowsFormat | undefined,
): Promise<unknown> {
  const silence = startSilence(connection.timeoutMs);
  const pieces = piecesOf(rows, format === undefined);
  const source = openSource(pieces, silence);
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

interface Source {
  readonly body: ReadableStream<Uint8Array>;
  /** What reading the rows threw. */
  readonly failure: { readonly err: unknown } | undefined;
  /** Ends the stream: Node's `fetch` reads on after an abort, and after an answer that did not wait for the last row. */
  close(): void;
}

function openSource(pieces: AsyncGenerator<Uint8Array, void, void>, silence: Silence): Source {
  let failure: Source['failure'];
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    async pull() {
      silence.pause();
      try {
        const { value, done } = await pieces.next();
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

async function* piecesOf(rows: Rows, areObjects: boolean): AsyncGenerator<Uint8Array, void, void> {
  if (!areObjects) {
    yield* rows as AsyncIterable<Uint8Array>;
    return;
  }
  const encoder = new TextEncoder();
  let lines = '';
  for await (const row of rows) {
    lines += `${JSON.stringify(row)}\n`;
    if (lines.length < PIECE_BYTES) continue;
    yield encoder.encode(lines);
    lines = '';
  }
  if (lines !== '') yield encoder.encode(lines);
}
