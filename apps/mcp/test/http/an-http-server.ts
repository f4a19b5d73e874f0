import { type Problem, type ProblemCode, problemOf } from '@insurance-verification/schema';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { useInFile } from '@insurance-verification/testing/use-in-file';
import { type Answer, exchange } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { startHttpServer, useService } from '../a-service.ts';

export interface HttpServer {
  /** The server's address, without `/mcp`. */
  readonly url: string;
  /** A problem as this server sends it: its type is the address of its page at the service. */
  readonly problem: (code: ProblemCode) => Problem;
  /** Whether the process still runs. */
  readonly lives: () => boolean;
  /** @throws unless the process runs, answers, and wrote nothing to stderr. */
  assertWell(): Promise<void>;
  /** A complete call with a key; its body may be any bytes. */
  post(body: string | Uint8Array, headers?: readonly string[]): Promise<Answer>;
}

/** `iv-mcp --http` as its own process, for all tests of a file. */
export function useHttpServer(): () => HttpServer {
  const service = useService();
  return useInFile(async () => {
    const server = await startHttpServer({ IV_URL: service().url });
    const url = new URL(server.url).origin;
    const lives = () => server.ended() === null;
    const post: HttpServer['post'] = (body, headers) => exchange(url, call(body, headers));
    const problem: HttpServer['problem'] = (code) => ({
      ...problemOf(code),
      type: `${service().url}/docs/problems/${code}`,
    });
    const assertWell = async () => {
      const said = server.said().replace(/^MCP for .*\n/, '');
      if (!lives()) throw new Error(`The process ended: ${said}`);
      const { status } = await post(listTools);
      if (status !== 200 || said !== '') throw new Error(`It answers ${status} and said: ${said}`);
    };
    return { url, problem, lives, post, assertWell, stop: server.stop };
  });
}

/** The headers of a valid call, except its length. */
export const callHeaders = [
  `x-key: ${API_KEY}`,
  'content-type: application/json',
  'accept: application/json, text/event-stream',
];

/** The bytes of a call with its correct length. */
export function call(body: string | Uint8Array, headers: readonly string[] = []): Uint8Array {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(head('POST /mcp', [...callHeaders, ...headers, `content-length: ${bytes.length}`], HOST)),
    bytes,
  ]);
}

/** On loopback the server accepts loopback's host names only. */
export const HOST = 'Host: localhost';

export const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
