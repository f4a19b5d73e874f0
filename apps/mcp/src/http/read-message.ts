import type { IncomingMessage } from 'node:http';
import type { BodyMemory } from './body-memory.ts';
import { BODY_BYTES_MAX } from './guard-request.ts';

/**
 * Members of all objects in a message together. The SDK walks a message many times: 85,000 members in one megabyte
 * blocked the process for 0.3 s; this many block it for 40 ms. A result of 200 coverages has fewer.
 */
const MEMBER_COUNT_MAX = 10_000;

/** Objects and arrays together: one megabyte of 349,000 empty ones took 60 ms to parse. */
const OBJECT_COUNT_MAX = 100_000;

/** The outcome of reading a body. */
export type Message =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'too_large' }
  /** Other bodies use up the budget. */
  | { readonly kind: 'no_room' }
  | { readonly kind: 'gone' };

/**
 * Reads a body as JSON within its limits. The SDK does not read it, because it accepts invalid UTF-8, copies the text
 * three times, and reads the whole body before it rejects it.
 */
export async function readMessage(req: IncomingMessage, memory: BodyMemory): Promise<Message> {
  const address = req.socket.remoteAddress ?? '';
  let takenBytes = 0;
  const take = (byteCount: number) => {
    const isTaken = memory.take(address, byteCount);
    if (isTaken) takenBytes += byteCount;
    return isTaken;
  };
  try {
    const bytes = await readBytes(req, take);
    return Buffer.isBuffer(bytes) ? parse(bytes) : { kind: bytes };
  } finally {
    memory.giveBack(address, takenBytes);
  }
}

function parse(bytes: Buffer): Message {
  if (hasTooManyParts(bytes)) return { kind: 'too_large' };
  try {
    return {
      kind: 'json',
      value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown,
    };
  } catch {
    return { kind: 'not_json' };
  }
}

/** In JSON a colon outside a string always follows a member's name. Invalid JSON is reported later. */
function hasTooManyParts(bytes: Buffer): boolean {
  let memberCount = 0;
  let objectCount = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) at += 1;
    else if (inText) continue;
    else if (byte === COLON) memberCount += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) objectCount += 1;
  }
  return memberCount > MEMBER_COUNT_MAX || objectCount > OBJECT_COUNT_MAX;
}

const [QUOTE, BACKSLASH, COLON, OPEN_BRACE, OPEN_BRACKET] = [0x22, 0x5c, 0x3a, 0x7b, 0x5b];

type Unread = 'too_large' | 'no_room' | 'gone';

function readBytes(req: IncomingMessage, take: (byteCount: number) => boolean): Promise<Buffer | Unread> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > BODY_BYTES_MAX) settle('too_large');
      else if (!take(chunk.length)) settle('no_room');
    };
    const onEnd = () => settle(Buffer.concat(chunks, length));
    const onGone = () => settle('gone');
    const settle = (outcome: Buffer | Unread) => {
      req.off('data', onData).off('end', onEnd).off('close', onGone);
      req.pause();
      resolve(outcome);
    };
    req.on('error', () => undefined); // only the following close counts
    if (req.destroyed) settle('gone');
    else req.on('data', onData).on('end', onEnd).on('close', onGone);
  });
}
