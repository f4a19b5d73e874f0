import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem.ts';

/** What is refused from the headers alone, before a route is chosen. @throws {ProblemError} */
export function guardRequest(req: IncomingMessage, bodyBytesMax: number): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_content_encoding', { headers: { 'accept-encoding': 'identity', connection: 'close' } });
  }
  if (Number(req.headers['content-length'] ?? 0) > bodyBytesMax) {
    throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
  }
}
