import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';
import type { BodyAllowance } from '../procedure/context/call/body-allowance.ts';
import { ProblemError } from '../procedure/problem/problem.ts';
import { discard } from './discard.ts';
import { askForBody } from './expectation.ts';

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
