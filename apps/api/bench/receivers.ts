import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The receivers of the delivery measurements, in a process of their own: many ports, so that no cap per host decides.
// `quick` answer at once, `hung` never, `late` after three seconds. Webhooks of the service are told apart by the
// request in them; the floor's posts have none, and are only counted.

/** Kinds of receivers, by how they answer. */
export interface ReceiverUrls {
  readonly quick: readonly string[];
  readonly hung: readonly string[];
  readonly late: readonly string[];
}

export type Question = 'count' | 'arrivals' | 'forget';

export interface Answers {
  readonly urls?: ReceiverUrls;
  readonly count?: number;
  /** When each webhook came, in milliseconds since 1970 with fractions, by request id. */
  readonly arrivals?: readonly (readonly [string, readonly number[]])[];
}

const LATE_MS = 3_000;

let count = 0;
let firstAt = 0;
let lastAt = 0;
const arrivals = new Map<string, number[]>();
const tell = (answers: Answers & { readonly spanMs?: number }) => process.send?.(answers);

function listen(answer: (end: () => void) => void): Promise<string> {
  const server = createServer((req, res) => {
    const at = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      count += 1;
      firstAt ||= at;
      lastAt = at;
      const id = /"request_id":"(req_\w+)"/.exec(Buffer.concat(chunks).toString())?.[1];
      if (id !== undefined) arrivals.set(id, [...(arrivals.get(id) ?? []), at]);
      answer(() => res.end());
    });
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/verified`),
    ),
  );
}

const several = (howMany: number, answer: (end: () => void) => void) =>
  Promise.all(Array.from({ length: howMany }, () => listen(answer)));

process.on('message', (question: Question) => {
  if (question === 'count') tell({ count, spanMs: lastAt - firstAt });
  if (question === 'arrivals') tell({ arrivals: [...arrivals] });
  if (question === 'forget') {
    count = 0;
    firstAt = 0;
    arrivals.clear();
    tell({});
  }
});
process.on('disconnect', () => process.exit(0));
tell({
  urls: {
    quick: await several(32, (end) => end()),
    hung: await several(20, () => undefined),
    late: await several(2, (end) => setTimeout(end, LATE_MS)),
  },
});
