import type { Agent } from 'undici';
import { type Answer, AnswerReader, type Patience } from './answer/answer-reader.ts';
import type { RequestTarget } from './request-target.ts';

/** The parts of one request. */
export interface Attempt extends Patience {
  readonly target: RequestTarget;
  readonly userAgent: string;
  /** One of them in another case replaces ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly headersTimeoutMs: number;
}

/**
 * One POST, never redirected, never decompressed. Rejects unless all headers arrived; of what it rejected the sender knows whether a status line had come.
 *
 * By `dispatch`: with `agent.request`, which makes each answer a stream and listens to a signal, a delivery took 45 µs of
 * CPU more, half of it garbage collection and compilation on V8's other threads.
 */
export function makeAttempt(agent: Agent, attempt: Attempt): Promise<Answer> {
  const { target, body, headersTimeoutMs: headersTimeout } = attempt;
  return new Promise((resolve, reject) => {
    agent.dispatch(
      {
        origin: target.origin,
        path: target.path,
        method: 'POST',
        headers: headersOf(attempt),
        body,
        headersTimeout,
        bodyTimeout: 0, // it restarts with every byte; the reader's own does not
      },
      new AnswerReader({ resolve, reject }, attempt),
    );
  });
}

function headersOf({ userAgent, headers, target }: Attempt): Record<string, string> {
  const all: Record<string, string> = { 'user-agent': userAgent };
  for (const name of Object.keys(headers)) all[name.toLowerCase()] = headers[name] ?? '';
  if (target.authorization !== null) all['authorization'] = target.authorization;
  return all;
}
