import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestModel } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { Agent } from 'undici';
import type { Ground } from '../fault-row.ts';
import { type Answer, ask } from './ask.ts';

export interface LoadOptions {
  /** The processes' addresses; a call that one process does not answer goes to the next. */
  readonly urls: readonly string[];
  readonly callbackUrls: readonly string[];
  readonly clientCount?: number;
  /** The clients end after this many requests. */
  readonly countMax?: number;
  /** Milliseconds that each client pauses before a request: for rows that share the machine with a cluster. */
  readonly pauseMs?: number;
  /** Also reads each acknowledged request back, before its result. */
  readonly reads?: boolean;
  /** A 404 ends a request instead of breaking the row: a failover may lose what was acknowledged. */
  readonly mayForget?: boolean;
}

/** Clients that record every acknowledgement, and retry unanswered calls with the same key. */
export interface Load {
  /** The acknowledged requests: ids by idempotency key. */
  readonly requestIdByKey: ReadonlyMap<string, string>;
  readonly callbackUrlByKey: ReadonlyMap<string, string>;
  /** `performance.now()` of the acknowledgement of each request. */
  readonly createdAt: ReadonlyMap<string, number>;
  /** Requests whose result was acknowledged, and so must arrive; `performance.now()` of the acknowledgement. */
  readonly acceptedAt: ReadonlyMap<string, number>;
  /** Counts of all other answers by status; 0 is no answer. */
  readonly refusals: ReadonlyMap<number, number>;
  /** The longest time without an acknowledgement since this was last called, in milliseconds. */
  readonly takeLongestGap: () => number;
  /** The longest time that a refusal took, in milliseconds. */
  readonly slowestRefusalMs: () => number;
  /** Resolves after this many further acknowledgements, of requests or results. */
  readonly acknowledgedMore: (count: number, withinMs?: number) => Promise<void>;
  /** Stops the clients once everything they began is acknowledged. */
  readonly stop: () => Promise<void>;
}

/** "Not now": retried. Any other status but 200 breaks the row. */
const passing = new Set([409, 429, 503]);

export function startLoad({ stack, tally }: Ground, options: LoadOptions): Load {
  const { urls, callbackUrls, clientCount = 16, countMax = Number.POSITIVE_INFINITY } = options;
  const { pauseMs = 0, reads = false, mayForget = false } = options;
  const requestIdByKey = new Map<string, string>();
  const callbackUrlByKey = new Map<string, string>();
  const createdAt = new Map<string, number>();
  const acceptedAt = new Map<string, number>();
  const refusals = new Map<number, number>();
  const dispatcher = new Agent({ connections: clientCount, pipelining: 1 });
  let acknowledgementCount = 0;
  let lastAcknowledgedAt = performance.now();
  let longestGapMs = 0;
  let slowestRefusalMs = 0;
  let begunCount = 0;
  let stopped = false;
  let abandoned = false;
  let turn = 0;

  /** Retries until a 200; null for a 404, where it may be forgotten. */
  async function acknowledged<T>(
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<T | null> {
    while (!abandoned) {
      const url = urls[(turn += 1) % urls.length] ?? '';
      const askedAt = performance.now();
      const answer = await ask(method, `${url}${path}`, { body, headers, dispatcher }).catch(
        (): Answer => unanswered,
      );
      const now = performance.now();
      if (answer.status === 200) {
        acknowledgementCount += 1;
        longestGapMs = Math.max(longestGapMs, now - lastAcknowledgedAt);
        lastAcknowledgedAt = now;
        return answer.json as T;
      }
      if (mayForget && answer.status === 404) return null;
      refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
      slowestRefusalMs = Math.max(slowestRefusalMs, now - askedAt);
      tally.holds(
        answer === unanswered || passing.has(answer.status),
        `${path} answered ${answer.status}: ${JSON.stringify(answer.json)}`,
      );
      tally.holds(
        answer.status !== 503 || answer.headers['retry-after'] !== undefined,
        `${path} answered 503 without Retry-After`,
      );
      await pause(20);
    }
    throw new Error('The row has ended.');
  }

  async function client(): Promise<void> {
    while (!stopped && begunCount < countMax) {
      begunCount += 1;
      if (pauseMs > 0) await pause(pauseMs);
      const key = randomUUID();
      const callbackUrl = callbackUrls[begunCount % callbackUrls.length] ?? '';
      const request = await acknowledged<RequestModel>('POST', '/requests/', {
        body: aRequest({ callback_url: callbackUrl }),
        headers: { 'idempotency-key': key },
      });
      if (!request) continue;
      const id = request.request_id ?? '';
      requestIdByKey.set(key, id);
      callbackUrlByKey.set(key, callbackUrl);
      createdAt.set(id, performance.now());
      if (reads && !(await acknowledged('GET', `/requests/${id}`))) continue;
      if (await acknowledged('POST', '/verification-output', { body: anOutput(request) }))
        acceptedAt.set(id, performance.now());
    }
  }

  const clients = Promise.all(Array.from({ length: clientCount }, client));
  clients.catch(() => undefined); // `stop` reports it
  stack.defer(async () => {
    abandoned = true;
    await dispatcher.destroy();
  });
  return {
    requestIdByKey,
    callbackUrlByKey,
    createdAt,
    acceptedAt,
    refusals,
    takeLongestGap: () => {
      const gapMs = Math.max(longestGapMs, performance.now() - lastAcknowledgedAt);
      longestGapMs = 0;
      return gapMs;
    },
    slowestRefusalMs: () => slowestRefusalMs,
    acknowledgedMore: async (count, withinMs = 60_000) => {
      const goal = acknowledgementCount + count;
      await until(`${count} acknowledgements more`, () => acknowledgementCount >= goal, withinMs);
    },
    stop: async () => {
      stopped = true;
      await clients;
    },
  };
}

const unanswered: Answer = { status: 0, headers: {}, json: null };
