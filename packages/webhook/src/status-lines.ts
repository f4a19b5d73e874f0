import type { Socket } from 'node:net';

/** How much of an interim answer is held until its blank line has come; a longer one is undici's to refuse. */
const INTERIM_BYTES_MAX = 16_384;

/** Of a status line up to its status, such as `HTTP/1.1 200`. */
const STATUS_BYTES = 12;

const NOTHING = Buffer.alloc(0);

const statusCodes = new WeakMap<Error, number>();

/** The status that had come over a connection, in answer to its last request, before it ended with this error; null: none. */
export const statusCodeOf = (err: unknown): number | null =>
  (err instanceof Error && statusCodes.get(err)) || null;

/**
 * Reads the status line of each answer on its way to undici, since it decides an attempt, and undici would forget it where
 * it refuses the rest: of an answer that is chunked and has a length, has two lengths, folds a header, ends lines with LF,
 * or breaks off. Interim answers are dropped here: undici ends a connection that sends `100 Continue` unasked, which a
 * client must bear (RFC 9110, 15.2).
 */
export function withStatusLines<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
  let statusCode: number | undefined;
  let held: Buffer = NOTHING;

  // One request at a time is on a connection, and its answer begins with the first byte that comes after it.
  socket.write = (...chunk: unknown[]) => {
    statusCode = undefined;
    held = NOTHING;
    return write(...chunk);
  };
  socket.read = () => {
    const chunk = read();
    if (chunk === null || statusCode !== undefined) return chunk;
    const answer = withoutInterim(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    const isShort = answer.length < STATUS_BYTES || (isInterim(answer) && answer.length <= INTERIM_BYTES_MAX);
    held = isShort ? answer : NOTHING;
    if (isShort) return null;
    statusCode = Number(/^HTTP\/1\.[01] (\d{3})/.exec(startOf(answer, STATUS_BYTES))?.[1] ?? 0);
    return answer;
  };
  socket.prependListener('error', (err) => {
    if (statusCode !== undefined && statusCode >= 200) statusCodes.set(err, statusCode);
  });
  return socket;
}

function withoutInterim(answer: Buffer): Buffer {
  let left = answer;
  while (isInterim(left)) {
    const end = /\r?\n\r?\n/.exec(startOf(left, INTERIM_BYTES_MAX));
    if (end === null) return left;
    left = left.subarray(end.index + end[0].length);
  }
  return left;
}

/** Any 1xx but 101: a switch of protocols is never asked for. */
const isInterim = (answer: Buffer) => /^HTTP\/1\.[01] 1(?!01)\d\d/.test(startOf(answer, STATUS_BYTES));

const startOf = (answer: Buffer, byteCount: number) => answer.toString('latin1', 0, byteCount);
