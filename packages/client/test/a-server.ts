import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemOf, type ProblemCode } from '@insurance-verification/schema';
import { onTestFinished } from 'vitest';

/** One request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to do with a request: answer it, or anything else a socket allows. */
export type Answer = (res: ServerResponse) => void;

/** A real server that gives these answers in turn, the last one from then on; closed after the test. */
export async function aServer(...answers: [Answer, ...Answer[]]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ method: req.method ?? '', target: req.url ?? '', headers: req.headers, body });
      answers[Math.min(seen.length, answers.length) - 1]?.(res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (res) =>
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A problem as the service answers it. */
export const problem = (code: ProblemCode, headers: Record<string, string> = {}): Answer => {
  const body = problemOf(code);
  return json(body, body.status, { 'content-type': 'application/problem+json', ...headers });
};

/** The connection breaks before an answer. */
export const hangUp: Answer = (res) => res.socket?.destroy();

/** Half of an answer, then the connection breaks. */
export const breakOff: Answer = (res) => {
  res.writeHead(200, { 'content-length': '100' });
  res.write('{"request_id":', () => res.socket?.destroy());
};

/** No answer ever. */
export const hang: Answer = () => undefined;
