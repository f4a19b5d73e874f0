import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from '@insurance-verification/testing/until';
import { Webhook } from 'standardwebhooks';
import type { Ground } from '../fault-row.ts';
import { WEBHOOK_SECRET } from './start-service.ts';

/** One webhook as it arrived. */
export interface Arrival {
  readonly id: string;
  readonly requestId: string;
  readonly body: string;
  readonly url: string;
  /** `performance.now()` */
  readonly at: number;
  /** 1 for the first with its id. */
  readonly nth: number;
}

export interface ReceiverOptions {
  /** The number of ports: enough that no per-host cap limits the row. */
  readonly hostCount?: number;
  /** What its webhooks are signed with; by default the secret of the first account. */
  readonly secret?: () => string;
  readonly host?: string;
  readonly port?: number;
  /** TLS key and certificate, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Answers 204 by default; a response left open hangs. */
  readonly answer?: (res: ServerResponse, arrival: Arrival, req: IncomingMessage) => void;
}

export interface Receiver {
  readonly urls: readonly string[];
  /** By webhook-id, in order of arrival. */
  readonly arrivals: ReadonlyMap<string, readonly Arrival[]>;
  /** The ids of requests with at least one webhook. */
  readonly requestIds: ReadonlySet<string>;
  readonly arrivalsOf: (requestId: string) => Arrival[];
  /** Closes its ports: connections are refused from then on. */
  readonly close: () => Promise<void>;
}

/**
 * Receivers on loopback. The Standard Webhooks library verifies each webhook, and a repeated one must have the bytes of
 * the first with its id.
 */
export async function startReceiver(
  { stack, tally }: Ground,
  {
    hostCount = 1,
    secret = () => WEBHOOK_SECRET,
    host = '127.0.0.1',
    port = 0,
    tls,
    answer = (res) => void res.writeHead(204).end(),
  }: ReceiverOptions = {},
): Promise<Receiver> {
  const arrivals = new Map<string, Arrival[]>();
  const requestIds = new Set<string>();
  const closers: (() => Promise<void>)[] = [];

  const receive = (req: IncomingMessage, res: ServerResponse, url: string, body: string) => {
    const id = String(req.headers['webhook-id']);
    try {
      new Webhook(secret()).verify(body, req.headers as Record<string, string>);
    } catch (err) {
      tally.holds(false, `a webhook came that does not verify: ${String(err)}`);
    }
    const earlier = arrivals.get(id) ?? [];
    const requestId = /"request_id": ?"(req_\w+)"/.exec(body)?.[1] ?? '';
    const arrival = { id, requestId, body, url, at: performance.now(), nth: earlier.length + 1 };
    tally.holds((earlier[0]?.body ?? body) === body, 'an attempt carried other bytes than the one before it');
    arrivals.set(id, [...earlier, arrival]);
    requestIds.add(requestId);
    answer(res, arrival, req);
  };

  const urls: string[] = [];
  for (let index = 0; index < hostCount; index += 1) {
    let url = '';
    const listen = (req: IncomingMessage, res: ServerResponse) => {
      const chunks: Buffer[] = [];
      req.on('error', () => undefined); // a killed worker's partial request is no webhook
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => receive(req, res, url, Buffer.concat(chunks).toString()));
    };
    const server = tls ? createTlsServer(tls, listen) : createServer(listen);
    await listenOn(server, port, host);
    url = `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}/verified`;
    urls.push(url);
    const close = async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    };
    closers.push(close);
    stack.defer(close);
  }
  return {
    urls,
    arrivals,
    requestIds,
    arrivalsOf: (requestId) =>
      [...arrivals.values()].flat().filter((arrival) => arrival.requestId === requestId),
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}

/** Retries: a port that was just released may briefly belong to another program. */
async function listenOn(server: Server, port: number, host: string): Promise<void> {
  await until(`port ${port} is free`, async () => {
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return true;
    } catch (err) {
      if (err instanceof Error && 'code' in err && err.code === 'EADDRINUSE') return false;
      throw err;
    }
  });
}
