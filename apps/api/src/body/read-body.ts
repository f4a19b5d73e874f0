import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import type { BodyAllowance } from '../procedure/context/call.ts';
import type { Outline } from '../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import { parseJson } from './parse-json.ts';

/**
 * `application/json` and `application/*+json`, in any case and with any parameters. A missing type counts as JSON too.
 */
const JSON_TYPE = /^application\/(?:[^;\s/]+\+)?json\s*(?:;|$)/i;

/**
 * The body as JSON; undefined when it is empty. Omits from a large one what its outline ignores.
 * @throws {ValidationFailedError} as FastAPI answers: invalid JSON, or another content type.
 * @throws {ProblemError} `payload_too_large`, `unavailable`, `bad_request` when the client disconnects.
 */
export async function readJsonBody(
  req: IncomingMessage,
  allowance: BodyAllowance,
  outline: () => Outline,
): Promise<unknown> {
  const bytes = await readBytes(req, allowance);
  if (bytes.length === 0) return undefined;
  const type = req.headers['content-type'];
  if (type !== undefined && type.trim() !== '' && !JSON_TYPE.test(type.trim())) throw notAnObject();
  try {
    return await parseJson(bytes, outline);
  } finally {
    discard(bytes);
  }
}

/** FastAPI's answer where a body is required but missing or `null`. */
export function bodyMissing(): ValidationFailedError {
  return new ValidationFailedError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
}

/** FastAPI's answer for a body that is not an object. */
export function notAnObject(): ValidationFailedError {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return new ValidationFailedError([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
}

/** Bytes of a body that may come in one packet with its headers: what a socket is read by at once. */
const ARRIVED_BYTES_MAX = 65_536;

/**
 * Reads a body to its end. Node itself ensures that a body has its declared length and arrives in time. Memory for a
 * body of declared length is taken before any of it is read, so that of many at once some are read whole while the others
 * wait in their sockets; a body of unknown length takes memory as it arrives.
 * @throws {ProblemError} `payload_too_large`, `unavailable` without memory, `bad_request` when the client disconnects.
 */
export async function readBytes(req: IncomingMessage, allowance: BodyAllowance): Promise<Buffer> {
  const declared = req.headers['content-length'];
  const length = Number(declared ?? 0);
  if (length > allowance.bytesMax) throw refusal('payload_too_large');
  if (length > 0 && !allowance.take(length) && !(await allowance.waitFor(length)))
    throw refusal('unavailable');
  askForBody(req);
  return (await readArrived(req, length)) ?? collect(req, allowance, declared === undefined);
}

/**
 * A body that came in the same packet as its headers, as small ones do: Node has parsed it once this turn's callbacks
 * have run. A stream that flows to its end through listeners costs an intake 5 % more CPU. Null for any other.
 */
async function readArrived(req: IncomingMessage, length: number): Promise<Buffer | null> {
  if (length === 0 || length > ARRIVED_BYTES_MAX) return null;
  if (req.readableLength === 0) await new Promise<void>((resolve) => process.nextTick(resolve));
  return req.readableLength === length && !req.destroyed ? (req.read() as Buffer) : null;
}

function collect(req: IncomingMessage, allowance: BodyAllowance, isUndeclared: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > allowance.bytesMax) refuse('payload_too_large');
      else if (isUndeclared && !allowance.take(chunk.length)) void waitForMemory(chunk.length);
    };
    const waitForMemory = async (byteCount: number) => {
      req.pause();
      if (await allowance.waitFor(byteCount)) req.resume();
      else refuse('unavailable');
    };
    const onEnd = () => {
      letGo();
      resolve(joined(chunks, length));
    };
    const onError = (cause: unknown) => refuse('bad_request', cause);
    const onClose = () => refuse('bad_request');
    const refuse = (code: ProblemCode, cause?: unknown) => {
      letGo();
      req.pause();
      chunks.forEach(discard);
      reject(refusal(code, cause));
    };
    const letGo = () =>
      void req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    // A destroyed request emits no more events.
    if (req.destroyed) refuse('bad_request');
    else req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function joined(chunks: readonly Buffer[], length: number): Buffer {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = Buffer.concat(chunks, length);
  chunks.forEach(discard);
  return whole;
}

function refusal(code: ProblemCode, cause?: unknown): ProblemError {
  return new ProblemError(code, { headers: { connection: 'close' }, cause });
}

/** Calls whose client waits for `100 Continue` before it sends its body (RFC 9110, 10.1.1), and their answers. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Notes that a client waits. A status that its headers decide is then sent in place of `100`, and the body never. */
export function noteExpectation(req: IncomingMessage, res: ServerResponse): void {
  waiting.set(req, res);
}

/** Lets a client that waits send its body. */
export function askForBody(req: IncomingMessage): void {
  waiting.get(req)?.writeContinue();
  waiting.delete(req);
}

/** Whether a client still waits: what it sends next may be its body or another request, so its connection has to end. */
export const isWaiting = (req: IncomingMessage): boolean => waiting.has(req);

/** Bytes from which freeing is worth it. Smaller buffers may share an `ArrayBuffer`. */
const LARGE_BYTES = 16_384;

/**
 * Frees a large buffer's memory now: the garbage collector sees a small object, not the megabyte it refers to. Without
 * this, a flood of large bodies took 40 MB more. Later readers find the buffer empty.
 */
export function discard({ buffer, length }: Buffer): void {
  if (length >= LARGE_BYTES && length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
