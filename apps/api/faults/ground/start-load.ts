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
}

/** Clients that record every acknowledgement, and retry unanswered calls with the same key. */
export interface Load {
  /** The acknowledged requests: ids by idempotency key. */
  readonly requestIdByKey: ReadonlyMap<string, string>;
  readonly callbackUrlByKey: ReadonlyMap<string, string>;
  /** Requests whose result was acknowledged, and so must arrive; `performance.now()` of the acknowledgement. */
  readonly acceptedAt: ReadonlyMap<string, number>;
  /** Counts of all other answers by status; 0 is no answer. */
  readonly refusals: ReadonlyMap<number, number>;
  /** Resolves after this many further acknowledgements, of requests or results. */
  readonly acknowledgedMore: (count: number, withinMs?: number) => Promise<void>;
  /** Stops the clients once everything they began is acknowledged. */
  readonly stop: () => Promise<void>;
}

/** "Not now": retried. Any other status but 200 breaks the row. */
const passing = new Set([409, 429, 503]);

export function startLoad({ stack, tally }: Ground, options: LoadOptions): Load {
  const { urls, callbackUrls, clientCount = 16, countMax = Number.POSITIVE_INFINITY } = options;
  const requestIdByKey = new Map<string, string>();
  const callbackUrlByKey = new Map<string, string>();
  const acceptedAt = new Map<string, number>();
  const refusals = new Map<number, number>();
  const dispatcher = new Agent({ connections: clientCount, pipelining: 1 });
  let acknowledgementCount = 0;
  let begunCount = 0;
  let stopped = false;
  let abandoned = false;
  let turn = 0;

  /** Retries until a 200. */
  async function acknowledged(
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<unknown> {
    while (!abandoned) {
      const url = urls[(turn += 1) % urls.length] ?? '';
      const answer = await ask('POST', `${url}${path}`, { body, headers, dispatcher }).catch(
        (): Answer => unanswered,
      );
      if (answer.status === 200) {
        acknowledgementCount += 1;
        return answer.json;
      }
      refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
      tally.holds(
        answer === unanswered || passing.has(answer.status),
        `${path} answered ${answer.status}: ${JSON.stringify(answer.json)}`,
      );
      await pause(20);
    }
    throw new Error('The row has ended.');
  }

  async function client(): Promise<void> {
    while (!stopped && begunCount < countMax) {
      begunCount += 1;
      const key = randomUUID();
      const callbackUrl = callbackUrls[begunCount % callbackUrls.length] ?? '';
      const request = (await acknowledged('/requests/', aRequest({ callback_url: callbackUrl }), {
        'idempotency-key': key,
      })) as RequestModel;
      const id = request.request_id ?? '';
      requestIdByKey.set(key, id);
      callbackUrlByKey.set(key, callbackUrl);
      await acknowledged('/verification-output', anOutput(request), {});
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
    acceptedAt,
    refusals,
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
