import type { RequestModel } from '@insurance-verification/schema';
import { API_KEY } from '@insurance-verification/testing/start-service-process';
import { until } from '@insurance-verification/testing/until';
import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import { aProductionRequest } from './two-instances.ts';

/** Clients that post requests one after the other through a proxy, and try nothing again. */
export interface SteadyPosts {
  /** The ids of what was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Calls that ended otherwise: a status, or the error of a connection. */
  readonly failed: readonly string[];
  /** Resolves after this many more acknowledgements. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Two clients keep a connection, and two open one for each call. */
export function postSteadily(url: string): SteadyPosts {
  const kept = new Agent({ connections: 2, pipelining: 1, connect: { rejectUnauthorized: false } });
  const opened = new Agent({ pipelining: 0, connect: { rejectUnauthorized: false } });
  const acknowledged: string[] = [];
  const failed: string[] = [];
  let isStopped = false;
  const body = JSON.stringify(aProductionRequest());
  const headers = { 'x-key': API_KEY, 'content-type': 'application/json' };
  const client = async (dispatcher: Agent) => {
    while (!isStopped) {
      try {
        const answer = await request(`${url}/requests/`, { method: 'POST', headers, body, dispatcher });
        const { statusCode } = answer;
        const text = await answer.body.text();
        if (statusCode === 200) acknowledged.push((JSON.parse(text) as RequestModel).request_id ?? '');
        else failed.push(String(statusCode));
      } catch (err) {
        failed.push(err instanceof Error ? `${err.name}: ${err.message}` : String(err));
      }
    }
  };
  const clients = Promise.all([kept, kept, opened, opened].map(client));
  const stop = async () => {
    isStopped = true;
    await clients;
  };
  onTestFinished(async () => {
    await stop();
    await Promise.all([kept.close(), opened.close()]);
  });
  return {
    acknowledged,
    failed,
    more: async (count) => {
      const goal = acknowledged.length + count;
      await until(`${count} more were acknowledged`, () => acknowledged.length >= goal);
    },
    stop,
  };
}
