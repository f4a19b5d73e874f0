import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest, anOutput } from './a-request.ts';

/** Receivers on several ports, so that no cap per host decides the figure. */
export interface Receivers {
  readonly urls: readonly string[];
  /** When a webhook's first byte came, by request id; `performance.now()`. */
  readonly arrivedAt: ReadonlyMap<string, number>;
  close(): void;
}

export async function startReceivers(count: number): Promise<Receivers> {
  const arrivedAt = new Map<string, number>();
  const servers: Server[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = createServer((req, res) => {
      const at = performance.now();
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const id = /"request_id":"(req_\w+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
        if (!arrivedAt.has(id)) arrivedAt.set(id, at);
        res.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/verified`);
  return { urls, arrivedAt, close: () => servers.forEach((server) => void server.close()) };
}

async function post<T>(url: string, apiKey: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-key': apiKey };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return (await answer.json()) as T;
}

/** Creates `count` requests and submits an output for each, some at a time; returns their ids. */
export async function queueResults(
  url: string,
  apiKey: string,
  receivers: Receivers,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  const worker = async () => {
    while (ids.length < count) {
      const index = ids.push('') - 1;
      const callbackUrl = receivers.urls[index % receivers.urls.length] ?? '';
      const request = await post<RequestModel>(`${url}/requests/`, apiKey, aRequest(callbackUrl));
      await post(`${url}/verification-output`, apiKey, anOutput(request));
      ids[index] = request.request_id ?? '';
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return ids;
}

/** Resolves when every one has arrived. */
export async function arrival(receivers: Receivers, ids: readonly string[]): Promise<void> {
  while (ids.some((id) => !receivers.arrivedAt.has(id)))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/**
 * Milliseconds from sending an output to its webhook's first byte, one at a time on an idle service. It holds the
 * acceptance itself too, so it is an upper bound of what the reader wants to know.
 */
export async function measureLatency(
  url: string,
  apiKey: string,
  receivers: Receivers,
  count: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const callbackUrl = receivers.urls[index % receivers.urls.length] ?? '';
    const request = await post<RequestModel>(`${url}/requests/`, apiKey, aRequest(callbackUrl));
    const sentAt = performance.now();
    await post(`${url}/verification-output`, apiKey, anOutput(request));
    await arrival(receivers, [request.request_id ?? '']);
    latenciesMs.push((receivers.arrivedAt.get(request.request_id ?? '') ?? Number.NaN) - sentAt);
  }
  return latenciesMs.toSorted((a, b) => a - b);
}
