import type { IncomingMessage, ServerResponse } from 'node:http';

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
