import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The receivers of the delivery measurements, in their own process: many ports, so that no per-host cap limits them.
// `quick` answer at once, `hung` never, `late` after three seconds. The service's webhooks are distinguished by their
// request id; the floor's posts have none and are only counted.

/** Kinds of receivers, by how they answer. */
export interface ReceiverUrls {
  readonly quick: readonly string[];
  readonly hung: readonly string[];
  readonly late: readonly string[];
}

/** `{ reached: 8 }` is answered when the eighth post arrived. */
export type Question = 'arrivals' | 'forget' | { readonly reached: number };

export interface Answers {
  readonly urls?: ReceiverUrls;
  /** The arrival of the awaited post. */
  readonly at?: number;
  /** The arrivals of each webhook by request id, in milliseconds since 1970 with fractions. */
  readonly arrivals?: readonly (readonly [string, readonly number[]])[];
}

const LATE_MS = 3_000;

/** The arrival of every post, in order. */
let postedAt: number[] = [];
let awaitedCount: number | null = null;
const arrivals = new Map<string, number[]>();
const report = (answers: Answers) => process.send?.(answers);

function reportWhenReached(): void {
  const at = awaitedCount === null ? undefined : postedAt[awaitedCount - 1];
  if (at === undefined) return;
  awaitedCount = null;
  report({ at });
}

function listen(answer: (end: () => void) => void): Promise<string> {
  const server = createServer((req, res) => {
    const at = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      postedAt.push(at);
      reportWhenReached();
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
  if (question === 'arrivals') report({ arrivals: [...arrivals] });
  else if (question === 'forget') {
    postedAt = [];
    arrivals.clear();
    report({});
  } else {
    awaitedCount = question.reached;
    reportWhenReached();
  }
});
process.on('disconnect', () => process.exit(0));
report({
  urls: {
    quick: await several(32, (end) => end()),
    hung: await several(20, () => undefined),
    late: await several(2, (end) => setTimeout(end, LATE_MS)),
  },
});
