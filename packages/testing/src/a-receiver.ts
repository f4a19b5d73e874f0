import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** One webhook as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

/** A receiver's behaviour: a status with headers, one that depends on what arrived, or no answer. */
export type Behaviour = Reply | ((webhook: Received) => Reply) | 'hang';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Connections opened so far. */
  readonly connectionCount: () => number;
  /** Changes the behaviour from now on. */
  behave(behaviour: Behaviour): void;
  /** The first `count` webhooks, once they have arrived. */
  first(count?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A real receiver on 127.0.0.1, closed after the test. It answers 204 by default. */
export async function aReceiver(behaviour: Behaviour = { status: 204 }, port = 0): Promise<Receiver> {
  let current = behaviour;
  let connectionCount = 0;
  const received: Received[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const webhook = {
        path: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(webhook);
      if (current === 'hang') return;
      const { status, headers, text } = typeof current === 'function' ? current(webhook) : current;
      res.writeHead(status, headers).end(text);
    });
  });
  server.on('connection', () => (connectionCount += 1));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => close(server));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/verified`,
    port: address.port,
    received,
    connectionCount: () => connectionCount,
    behave: (next) => (current = next),
    first: (count = 1) =>
      until(`${count} webhooks arrived`, () => received.length >= count && received.slice(0, count)),
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
